import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaErrorDetail, PaErrorEvent } from '../session/session-events.js';
import type { PaTimingDetail, PaTimingEvent } from './dashboard-events.js';

/** Most of each that is remembered. */
const maxEntries = 50;

/** One thing that the page's content security policy blocked. */
export interface Violation {
  /** What was asked for, as a directive (`script-src-elem`), also where the policy says it by another one (`default-src`). */
  readonly directive: string;
  /** The whole policy. */
  readonly policy: string;
  /** Origin of what was blocked, or what kind of thing it was (`inline`, `eval`). */
  readonly blocked: string;
}

/** What was noted of an element since it is on the page. */
export interface DebugLog {
  readonly violations: readonly Violation[];
  /** Without those of tiles that were drawn since. */
  readonly errors: readonly PaErrorDetail[];
  /** By the names of tiles, the newest of each. */
  readonly timings: ReadonlyMap<string, PaTimingDetail>;
}

const empty: DebugLog = { violations: [], errors: [], timings: new Map() };

/** Notes what happens to an element, also before its `debug` is set: who sets it on a page that shows nothing comes too late for it. */
export class DebugController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean };
  #log = empty;

  constructor(host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  /** What was noted. */
  get log(): DebugLog {
    return this.#log;
  }

  /** What the policy blocked, in the fewest words: all that can be said where it blocks what says the rest. */
  get blocked(): string {
    const told = this.#log.violations.map(({ directive, blocked }) => `${directive} blocked ${blocked}`);
    return [...new Set(told)].join(', ');
  }

  hostConnected(): void {
    this.#host.ownerDocument.addEventListener('securitypolicyviolation', this.#handleViolation);
    this.#host.addEventListener('pa-error', this.#handleError);
    this.#host.addEventListener('pa-timing', this.#handleTiming);
  }

  hostDisconnected(): void {
    this.#host.ownerDocument.removeEventListener('securitypolicyviolation', this.#handleViolation);
    this.#host.removeEventListener('pa-error', this.#handleError);
    this.#host.removeEventListener('pa-timing', this.#handleTiming);
  }

  readonly #handleError = ({ detail }: PaErrorEvent): void => {
    this.#note({ errors: [...this.#log.errors, detail].slice(-maxEntries) });
  };

  readonly #handleTiming = ({ detail }: PaTimingEvent): void => {
    const name = detail.widgetId ?? detail.report ?? 'report';
    const timings = new Map([...this.#log.timings, [name, detail] as const].slice(-maxEntries));
    // Where a tile is drawn, neither it nor what it stands in fails any more.
    const errors = this.#log.errors.filter(({ widgetId }) => widgetId !== null && widgetId !== detail.widgetId);
    this.#note({ timings, errors });
  };

  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    // A policy that only reports has blocked nothing.
    if (event.disposition === 'report') return;
    const blocked = URL.canParse(event.blockedURI) ? new URL(event.blockedURI).origin : event.blockedURI;
    const violation = { directive: event.effectiveDirective, policy: event.originalPolicy, blocked };
    this.#note({ violations: [...this.#log.violations, violation].slice(-maxEntries) });
  };

  #note(part: Partial<DebugLog>): void {
    this.#log = { ...this.#log, ...part };
    if (this.#host.debug) this.#host.requestUpdate();
  }
}
