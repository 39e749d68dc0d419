import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaTimingDetail, PaTimingEvent } from './dashboard-events.js';
import type { PaErrorDetail, PaErrorEvent } from './session-events.js';

/** Most of each that is remembered. */
const most = 50;

/** One thing that the page's content security policy blocked. */
export interface Violation {
  readonly directive: string;
  /** Origin of what was blocked, or what kind of thing it was (`inline`, `eval`). */
  readonly blocked: string;
}

/** What was noted of an element since its `debug` was set. */
export interface DebugLog {
  readonly violations: readonly Violation[];
  readonly errors: readonly PaErrorDetail[];
  /** By the names of tiles, the newest of each. */
  readonly timings: ReadonlyMap<string, PaTimingDetail>;
}

const empty: DebugLog = { violations: [], errors: [], timings: new Map() };

/** Notes what happens to an element while its `debug` is set, also before what shows it is loaded. */
export class DebugController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean };
  #isListening = false;
  #log = empty;

  constructor(host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  /** What was noted. */
  get log(): DebugLog {
    return this.#log;
  }

  hostUpdate(): void {
    if (this.#host.debug && this.#host.isConnected) this.#listen();
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#log = empty;
    this.#host.ownerDocument.removeEventListener('securitypolicyviolation', this.#handleViolation);
    this.#host.removeEventListener('pa-error', this.#handleError);
    this.#host.removeEventListener('pa-timing', this.#handleTiming);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#host.ownerDocument.addEventListener('securitypolicyviolation', this.#handleViolation);
    this.#host.addEventListener('pa-error', this.#handleError);
    this.#host.addEventListener('pa-timing', this.#handleTiming);
  }

  readonly #handleError = ({ detail }: PaErrorEvent): void => {
    this.#note({ errors: [...this.#log.errors, detail].slice(-most) });
  };

  readonly #handleTiming = ({ detail }: PaTimingEvent): void => {
    const name = detail.widgetId ?? detail.report ?? 'report';
    this.#note({ timings: new Map([...this.#log.timings, [name, detail] as const].slice(-most)) });
  };

  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    const blocked = URL.canParse(event.blockedURI) ? new URL(event.blockedURI).origin : event.blockedURI;
    const violation = { directive: event.effectiveDirective, blocked };
    this.#note({ violations: [...this.#log.violations, violation].slice(-most) });
  };

  #note(part: Partial<DebugLog>): void {
    this.#log = { ...this.#log, ...part };
    this.#host.requestUpdate();
  }
}
