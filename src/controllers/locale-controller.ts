import { type Context, ContextConsumer, ContextProvider, createContext } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Direction, formattingLocale, localeDirections, supportedLocale } from '../report/format/locale.js';
import { closestAcross } from './closest.js';

/** The language that an element and everything in it speaks: one tag for words and for numbers. */
export interface LocaleScope<M> {
  /** BCP 47 tag for numbers and dates (`formattingLocale`). */
  readonly locale: string;
  /** Words, in the nearest language there are words for. */
  readonly messages: M;
}

/** Words of every language there is: one at hand, the others loaded when they are asked for. */
export interface MessageCatalog<M> {
  readonly context: Context<symbol, LocaleScope<M>>;
  readonly fallback: LocaleScope<M>;
  readonly load: Readonly<Record<string, () => Promise<M>>>;
}

/** Makes the context in which a public element gives its language to the parts inside it. */
export function createLocaleContext<M>(): Context<symbol, LocaleScope<M>> {
  return createContext<LocaleScope<M>, symbol>(Symbol('pa-locale'));
}

/** Gives the language of the public element around it, or the fallback outside of one. */
export class LocaleConsumer<M> {
  readonly #consumer: ContextConsumer<Context<symbol, LocaleScope<M>>, ReactiveControllerHost & HTMLElement>;
  readonly #fallback: LocaleScope<M>;

  constructor(host: ReactiveControllerHost & HTMLElement, catalog: MessageCatalog<M>) {
    this.#fallback = catalog.fallback;
    this.#consumer = new ContextConsumer(host, { context: catalog.context, subscribe: true });
  }

  /** Language in force. */
  get value(): LocaleScope<M> {
    return this.#consumer.value ?? this.#fallback;
  }
}

/**
 * Chooses a public element's language and gives it to the parts inside: what is wished (`setting`), else the nearest `lang`,
 * else the fallback. Words of another language come by a chunk of their own; until then the fallback's stand.
 */
export class LocaleController<M> implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #catalog: MessageCatalog<M>;
  readonly #setting: () => string | null | undefined;
  readonly #provider: ContextProvider<Context<symbol, LocaleScope<M>>, ReactiveControllerHost & HTMLElement>;
  #locale: string;
  #isFallback = true;
  /** The setting that was taken last. */
  #followed: string | null | undefined = null;

  constructor(
    host: ReactiveControllerHost & HTMLElement,
    catalog: MessageCatalog<M>,
    setting: () => string | null | undefined,
  ) {
    this.#host = host;
    this.#catalog = catalog;
    this.#setting = setting;
    this.#locale = catalog.fallback.locale;
    this.#provider = new ContextProvider(host, { context: catalog.context, initialValue: catalog.fallback });
    host.addController(this);
  }

  /** Language in force. */
  get value(): LocaleScope<M> {
    // What an element works out in `willUpdate` comes before `hostUpdate`.
    if (this.#setting() !== this.#followed) this.hostUpdate();
    return this.#provider.value;
  }

  /**
   * Direction of the language, for the `dir` of what the element draws: a language may be asked for that runs against the page. Null where
   * nobody named one: the page's own direction stands.
   */
  get dir(): Direction | null {
    if (this.#isFallback) return null;
    return localeDirections(this.#locale).text;
  }

  /** Language of the words, for the `lang` of what the element draws: it may not be the page's. Null where nobody named one. */
  get lang(): string | null {
    if (this.#isFallback) return null;
    const { fallback, load } = this.#catalog;
    return Object.hasOwn(load, new Intl.Locale(this.#locale).language) ? this.#locale : fallback.locale;
  }

  hostUpdate(): void {
    this.#followed = this.#setting();
    const chosen = supported(this.#followed) ?? supported(nearestLang(this.#host));
    const locale = chosen ?? this.#catalog.fallback.locale;
    this.#isFallback = chosen === null;
    if (locale === this.#locale) return;
    this.#locale = locale;
    void this.#speak(locale);
  }

  async #speak(locale: string): Promise<void> {
    const { fallback, load } = this.#catalog;
    const loader = load[new Intl.Locale(locale).language];
    const formatting = formattingLocale(locale);
    this.#provider.setValue({ locale: formatting, messages: fallback.messages });
    if (!loader) return;
    // Words that can't be fetched leave the fallback's standing: numbers already follow the locale.
    const messages = await loader().catch(() => null);
    if (!messages || this.#locale !== locale) return;
    this.#provider.setValue({ locale: formatting, messages });
    this.#host.requestUpdate();
  }
}

/** What `Intl` knows of tags that were asked for: every update of every element asks, and `Intl` takes its time. */
const known = new Map<string, string | null>();
const maxCachedLocales = 100;

function supported(tag: string | null | undefined): string | null {
  if (!tag) return null;
  const answer = known.get(tag);
  if (answer !== undefined) return answer;
  const locale = supportedLocale(tag);
  if (known.size < maxCachedLocales) known.set(tag, locale);
  return locale;
}

/** `lang` of the element or of the nearest one around it. */
function nearestLang(element: Element): string | null {
  return closestAcross(element, '[lang]')?.getAttribute('lang') ?? null;
}
