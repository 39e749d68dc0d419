import { ContextConsumer, ContextProvider, createContext } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import { closestAcross } from '../closest.js';
import type { SessionSource } from './session-context.js';

/** Language and time zone as somebody wishes them: a BCP 47 tag and an IANA name; null for no wish. */
export interface Preferences {
  readonly locale: string | null;
  readonly timezone: string | null;
}

/** How `<pa-session>` gives the wishes of its attributes to the elements below it. The key is registered, as that of the session is. */
export const preferencesContext = createContext<Preferences, symbol>(Symbol.for('pa-embed.preferences'));

/** An element whose attributes are wishes for everything below. */
type PreferringHost = ReactiveControllerHost & HTMLElement & Preferences;

/** Gives the wishes of an element's attributes to the elements below it. */
export class PreferencesProvider implements ReactiveController {
  readonly #host: PreferringHost;
  readonly #provider: ContextProvider<typeof preferencesContext, PreferringHost>;

  constructor(host: PreferringHost) {
    this.#host = host;
    this.#provider = new ContextProvider(host, {
      context: preferencesContext,
      initialValue: { locale: null, timezone: null },
    });
    host.addController(this);
  }

  hostUpdate(): void {
    const { locale, timezone } = this.#host;
    const last = this.#provider.value;
    if (locale !== last.locale || timezone !== last.timezone) this.#provider.setValue({ locale, timezone });
  }
}

/** What a preferences controller needs from its host. */
export interface PreferencesOptions {
  /** The element's own. */
  readonly own: () => Preferences;
  readonly source: () => SessionSource | null;
  /** Time zone of the dashboard's own, whatever it is. */
  readonly dashboardZone?: () => unknown;
  /** The account's configuration; null until it is there. */
  readonly account?: () => AppConfig | null;
}

/**
 * The language and the time zone that an element is to use: its own, else those of the `<pa-session>` around it, else the session's
 * settings, else the account's for all that is embedded. A time zone that nobody knows falls through, as an offset does; that of a
 * dashboard stands before the account's.
 */
export class PreferencesController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: PreferencesOptions;
  readonly #consumer: ContextConsumer<typeof preferencesContext, ReactiveControllerHost & HTMLElement>;
  #around: Preferences | null = null;

  constructor(host: ReactiveControllerHost & HTMLElement, options: PreferencesOptions) {
    this.#host = host;
    this.#options = options;
    this.#consumer = new ContextConsumer(host, {
      context: preferencesContext,
      subscribe: true,
      callback: around => {
        this.#around = around;
        host.requestUpdate();
      },
    });
    host.addController(this);
  }

  /** Tag of the language; null where nobody wishes one. */
  get locale(): string | null {
    const { own, source } = this.#options;
    return own().locale || this.#around?.locale || source()?.settings?.locale || this.#account?.locale || null;
  }

  /** Name of the time zone; null where nobody wishes one that there is. */
  get timezone(): string | null {
    const { own, source, dashboardZone } = this.#options;
    const asked = [own().timezone, this.#around?.timezone, source()?.settings?.timezone];
    const zones = [...asked, dashboardZone?.(), this.#account?.timezone];
    return zones.map(zone).find(name => name !== null) ?? null;
  }

  get #account(): AppConfig['embedding'] {
    return this.#options.account?.()?.embedding;
  }

  hostConnected(): void {
    if (!closestAcross(this.#host, 'pa-session:not(:defined)')) return;
    void customElements.whenDefined('pa-session').then(() => {
      if (this.#host.isConnected && !this.#around) this.#consumer.hostConnected();
    });
  }

  hostDisconnected(): void {
    this.#around = null;
  }
}

/** Whether a name is a time zone, by name: looking is dear, and few are ever asked. */
const known = new Map<string, boolean>();

function zone(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null;
  const isKnown = known.get(name) ?? isZone(name);
  if (known.size < 100) known.set(name, isKnown);
  return isKnown ? name : null;
}

function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
