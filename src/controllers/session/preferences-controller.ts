import { ContextConsumer, ContextProvider, createContext } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import { closestAcross } from '../closest.js';
import type { SessionSource } from './session-context.js';

/** Preferred language and time zone: a BCP 47 tag and an IANA name; `null` if not set. */
export interface Preferences {
  readonly locale: string | null;
  readonly timezone: string | null;
}

/**
 * Context through which `<pa-session>` provides its preferences to the elements inside it. The key is a registered
 * symbol, so that two copies of this package on one page share it.
 */
export const preferencesContext = createContext<Preferences, symbol>(Symbol.for('pa-embed.preferences'));

/** An element whose attributes are preferences for the elements inside it. */
type PreferringHost = ReactiveControllerHost & HTMLElement & Preferences;

/** Provides the preferences of an element to the elements inside it. */
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

/** Options of a preferences controller. */
export interface PreferencesOptions {
  /** Preferences of the element itself. */
  readonly own: () => Preferences;
  readonly source: () => SessionSource | null;
  /** Time zone of the dashboard, unvalidated. */
  readonly dashboardZone?: () => unknown;
  /** The account's configuration; `null` until it is loaded. */
  readonly account?: () => AppConfig | null;
}

/**
 * Resolves the language and time zone of an element: its own, else those of the `<pa-session>` around it, else the
 * session's settings, else the account's settings for embedding. Skips unknown time zones and UTC offsets. A
 * dashboard's time zone takes precedence over the account's.
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

  /** Language tag; `null` if not set. */
  get locale(): string | null {
    const { own, source } = this.#options;
    return own().locale || this.#around?.locale || source()?.settings?.locale || this.#account?.locale || null;
  }

  /** Time zone; `null` if no valid one is set. */
  get timezone(): string | null {
    const { own, source, dashboardZone } = this.#options;
    const preferred = [own().timezone, this.#around?.timezone, source()?.settings?.timezone];
    const zones = [...preferred, dashboardZone?.(), this.#account?.timezone];
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

/** Cached checks of time zone names, because creating a formatter is slow. */
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
