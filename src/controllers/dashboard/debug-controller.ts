import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaErrorDetail, PaErrorEvent } from '../session/session-events.js';
import type { PaTimingDetail, PaTimingEvent } from './dashboard-events.js';

/** Maximum number of entries of each kind. */
const maxEntries = 50;

/** A violation of the page's content security policy. */
export interface Violation {
  /** The blocked directive (`script-src-elem`), even if the policy restricts it through another one (`default-src`). */
  readonly directive: string;
  /** The whole policy. */
  readonly policy: string;
  /** Origin of the blocked resource, or its kind (`inline`, `eval`). */
  readonly blocked: string;
}

/** Log of an element since it was added to the page. */
export interface DebugLog {
  readonly violations: readonly Violation[];
  /** Errors, except those of tiles that were rendered afterwards. */
  readonly errors: readonly PaErrorDetail[];
  /** Latest timing of each tile, by name. */
  readonly timings: ReadonlyMap<string, PaTimingDetail>;
}

const empty: DebugLog = { violations: [], errors: [], timings: new Map() };

/** Records events of an element even before its `debug` is set, because `debug` is usually set after a failure. */
export class DebugController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean };
  #log = empty;

  constructor(host: ReactiveControllerHost & HTMLElement & { readonly debug: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  /** The recorded log. */
  get log(): DebugLog {
    return this.#log;
  }

  /** Short summary of the resources that the policy blocked. Used if the policy also blocks the detailed message. */
  get blocked(): string {
    const violations = this.#log.violations.map(({ directive, blocked }) => `${directive} blocked ${blocked}`);
    return [...new Set(violations)].join(', ');
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
    // A rendered tile proves that neither it nor its container fails any longer.
    const errors = this.#log.errors.filter(({ widgetId }) => widgetId !== null && widgetId !== detail.widgetId);
    this.#note({ timings, errors });
  };

  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    // A report-only policy blocks nothing.
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
