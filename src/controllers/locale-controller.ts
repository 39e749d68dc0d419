import { type Context, ContextConsumer, ContextProvider, createContext } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  type Direction,
  formattingLocale,
  languageOf,
  localeDirections,
  supportedLocale,
} from '../report/format/locale.js';
import { closestAcross } from './closest.js';

/** The locale of an element and its parts, for messages and formatting. */
export interface LocaleScope<M> {
  /** BCP 47 tag for numbers and dates (`formattingLocale`). */
  readonly locale: string;
  /** Messages in the closest available language. */
  readonly messages: M;
}

/** Messages of all languages: the fallback is bundled, the others are lazy-loaded. */
export interface MessageCatalog<M> {
  readonly context: Context<symbol, LocaleScope<M>>;
  readonly fallback: LocaleScope<M>;
  readonly load: Readonly<Record<string, () => Promise<M>>>;
}

/** Creates the context through which a public element provides its locale to its parts. */
export function createLocaleContext<M>(): Context<symbol, LocaleScope<M>> {
  return createContext<LocaleScope<M>, symbol>(Symbol('pa-locale'));
}

/** Provides the locale of the public element around the host, or the fallback outside of one. */
export class LocaleConsumer<M> {
  readonly #consumer: ContextConsumer<Context<symbol, LocaleScope<M>>, ReactiveControllerHost & HTMLElement>;
  readonly #fallback: LocaleScope<M>;

  constructor(host: ReactiveControllerHost & HTMLElement, catalog: MessageCatalog<M>) {
    this.#fallback = catalog.fallback;
    this.#consumer = new ContextConsumer(host, { context: catalog.context, subscribe: true });
  }

  /** The current locale. */
  get value(): LocaleScope<M> {
    return this.#consumer.value ?? this.#fallback;
  }
}

/**
 * Chooses a public element's locale and provides it to its parts: `setting`, else the nearest `lang`, else the
 * fallback. Messages of other languages are lazy-loaded; until then, the fallback's are shown.
 */
export class LocaleController<M> implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #catalog: MessageCatalog<M>;
  readonly #setting: () => string | null | undefined;
  readonly #provider: ContextProvider<Context<symbol, LocaleScope<M>>, ReactiveControllerHost & HTMLElement>;
  #locale: string;
  #isFallback = true;
  /** The last setting that was applied. */
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

  /** The current locale. */
  get value(): LocaleScope<M> {
    // Check here, because `willUpdate` of the host runs before `hostUpdate`.
    if (this.#setting() !== this.#followed) this.hostUpdate();
    return this.#provider.value;
  }

  /**
   * Text direction for the `dir` attribute of rendered content, because the locale may differ from the page's. `null`
   * if no locale was chosen. The page's direction then applies.
   */
  get dir(): Direction | null {
    if (this.#isFallback) return null;
    return localeDirections(this.#locale).text;
  }

  /**
   * Language of the messages for the `lang` attribute of rendered content, because it may differ from the page's.
   * `null` if no locale was chosen.
   */
  get lang(): string | null {
    if (this.#isFallback) return null;
    const { fallback, load } = this.#catalog;
    return Object.hasOwn(load, languageOf(this.#locale)) ? this.#locale : fallback.locale;
  }

  hostUpdate(): void {
    this.#followed = this.#setting();
    const chosen = findSupportedLocale(this.#followed) ?? findSupportedLocale(nearestLang(this.#host));
    const locale = chosen ?? this.#catalog.fallback.locale;
    this.#isFallback = chosen === null;
    if (locale === this.#locale) return;
    this.#locale = locale;
    void this.#applyLocale(locale);
  }

  async #applyLocale(locale: string): Promise<void> {
    const { fallback, load } = this.#catalog;
    const loader = load[languageOf(locale)];
    const formatting = formattingLocale(locale);
    this.#provider.setValue({ locale: formatting, messages: fallback.messages });
    if (!loader) return;
    // If loading fails, the fallback's messages remain; numbers already follow the locale.
    const messages = await loader().catch(() => null);
    if (!messages || this.#locale !== locale) return;
    this.#provider.setValue({ locale: formatting, messages });
    this.#host.requestUpdate();
  }
}

function findSupportedLocale(tag: string | null | undefined): string | null {
  return tag ? supportedLocale(tag) : null;
}

/** Returns `lang` of the element or of its nearest ancestor that has one. */
function nearestLang(element: Element): string | null {
  return closestAcross(element, '[lang]')?.getAttribute('lang') ?? null;
}
