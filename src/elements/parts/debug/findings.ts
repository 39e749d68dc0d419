import type { Violation } from '../../../controllers/dashboard/debug-controller.js';
import { chartProblems } from '../../../controllers/report/chart-problems.js';
import type { PaErrorDetail } from '../../../controllers/session/session-events.js';
import type { PaTileChart } from '../chart/chart-element.js';

/** Facts about the page and the inspected element. */
interface Facts {
  /**
   * Status of the session. `undefined-tag` if the enclosing `<pa-session>` is not defined, `unnamed` if it has no
   * session source, `null` if there is none.
   */
  readonly session: string | null;
  /** Error of the last attempt to create or renew the session. */
  readonly sessionError: PaErrorDetail | null;
  /** Origin of the page. */
  readonly origin: string;
  /** Violations of the page's content security policy since the element was connected. */
  readonly violations: readonly Violation[];
  readonly errors: readonly PaErrorDetail[];
  /** Width of the element, px. */
  readonly width: number;
  /** Whether `export-url` is set, but downloads are restricted. */
  readonly areExportsRestricted: boolean;
}

/** A problem that keeps an element from working, and how to fix it. */
export interface Finding {
  readonly what: string;
  readonly advice: string;
}

/** Describes the problems that keep an element from working; empty if none are known. */
export function findings(facts: Facts): readonly Finding[] {
  const blocked = facts.violations.map(violation => ofViolation(violation, facts.origin));
  const errors = facts.sessionError ? [facts.sessionError, ...facts.errors] : facts.errors;
  const failed = errors.map(error => ofError(error, facts));
  return unique([...ofSession(facts), ...blocked, ...failed, ...ofExports(facts), ...ofSize(facts.width)]);
}

const sessionUrlAdvice =
  'Check the response of session-url: it must be 200 with {"sessionId": "…"} of a new session. If it is not, see the output of the back end.';

function ofSession({ session, sessionError }: Facts): Finding[] {
  switch (session) {
    case null:
      return [
        {
          what: 'The element has no session.',
          advice:
            'Put <pa-session session-url="…" base-url="…"> around the element, or set session-url and base-url on it.',
        },
      ];
    case 'unnamed':
      return [
        {
          what: 'The <pa-session> around the element has no session source.',
          advice: 'Set base-url, and session-url or the property session.',
        },
      ];
    case 'undefined-tag':
      return [
        {
          what: 'The <pa-session> around the element is not defined.',
          advice: 'Import pa-embed, or import pa-embed/pa-session in addition to the element.',
        },
      ];
    case 'expired':
    case 'failed':
      return [
        {
          what: `The session has the status "${session}".`,
          // If the connection failed, there is no response to check.
          advice: sessionError?.code === 'connection_failed' ? '' : sessionUrlAdvice,
        },
      ];
    case 'ended':
      return [{ what: 'end() was called on the session.', advice: 'Call start() on <pa-session>.' }];
    default:
      return [];
  }
}

function ofViolation({ directive, policy, blocked }: Violation, origin: string): Finding {
  const isOutside = /^https?:/.test(blocked) && blocked !== origin;
  const allowed = isOutside ? blocked : "'self'";
  const stated = statedIn(policy, directive);
  const what = `The page's content security policy blocked ${blocked || 'a resource'} (${stated})`;
  if (blocked === 'inline' || blocked === 'eval' || blocked.startsWith('trusted-types'))
    return {
      what: `${what}.`,
      advice:
        'pa-embed uses neither inline code nor eval: find the script that does. With trusted-types, allow lit-html.',
    };
  // A more specific directive, such as connect-src, overrides default-src.
  if (stated === 'default-src' && directive !== stated) {
    const own = directive.replace(subdirective, '');
    return {
      what: `${what}, which applies because the policy has no ${own}.`,
      advice: `Add ${own} to the Content-Security-Policy header, with the values of default-src and ${allowed}.`,
    };
  }
  return { what: `${what}.`, advice: `Add ${allowed} to ${stated} in the Content-Security-Policy header.` };
}

/** Suffixes of directives that policies rarely contain, such as `script-src-elem`; `script-src` covers them. */
const subdirective = /-(?:elem|attr)$/;

/** Returns the directive of the policy that applies to a violated directive. */
function statedIn(policy: string, directive: string): string {
  const names = policy.split(/[;,]/).map(part => part.trim().split(/\s/, 1)[0]?.toLowerCase());
  const wider = [directive, directive.replace(subdirective, ''), 'default-src'];
  return wider.find(name => names.includes(name)) ?? directive;
}

/** Advice by error code: the most common cause, for developers of the page. */
const advices: Readonly<Record<string, string>> = {
  not_found:
    'Check that the public id is correct, and that the dashboard is published and shared with the tenant of the session (embedAccess).',
  not_allowed: 'Embedding is disabled for this dashboard (allowEmbed), or the session lacks the permission.',
  not_authenticated:
    'If session-url returned 401, the viewer is not signed in: grantFor of the back end returned null. Otherwise create a new session id for every request to session-url: an id can be used once, within five minutes.',
  rate_limited: 'Too many requests: check whether the page adds the element repeatedly.',
  invalid_response: 'The response is not from the platform: check base-url and data-api-path.',
  chunk_not_loaded: 'A chunk of the package was not found: deploy all files of the package.',
};

/** Messages for errors that have none. */
const fallbackMessages: Readonly<Record<string, string>> = {
  chunk_not_loaded: 'A chunk of the package could not be loaded.',
};

function ofError({ code, message, status, widgetId }: PaErrorDetail, { origin, violations }: Facts): Finding {
  const where = widgetId === null ? '' : `Tile ${widgetId}: `;
  const what = `${where}${message || fallbackMessages[code] || code}${status === null ? '' : ` (${status})`}`;
  const isBlocked = violations.some(violation => explains(violation, code));
  if (isBlocked) return { what, advice: 'The content security policy blocked it (see above).' };
  if (code !== 'connection_failed') return { what, advice: advices[code] ?? '' };
  return {
    what,
    advice: `If the platform runs and serves other pages, it rejects this origin (CORS): start it with --allow-origin ${origin}.`,
  };
}

/** Whether a violation can cause an error with this code. A blocked script may be the one that requests the session. */
function explains({ directive, blocked }: Violation, code: string): boolean {
  const isFile = directive.startsWith('script-src') && /^https?:/.test(blocked);
  return code === 'connection_failed' ? isFile || directive === 'connect-src' : code === 'chunk_not_loaded' && isFile;
}

function ofExports({ areExportsRestricted }: Facts): Finding[] {
  if (!areExportsRestricted) return [];
  return [
    {
      what: 'The element offers no exports, although export-url is set, because downloads are restricted.',
      advice:
        'Add roles: ["AIBIViewer"] to the grant of the session. If that does not help, check restrict-download, and restrictDataDownload of the dashboard and of the account.',
    },
  ];
}

function ofSize(width: number): Finding[] {
  if (width > 0) return [];
  return [{ what: 'The element is 0 px wide.', advice: 'Set a width on its container, and check for display: none.' }];
}

function unique(list: readonly Finding[]): readonly Finding[] {
  return [...new Map(list.map(finding => [finding.what, finding])).values()];
}

/** Returns the problems of all charts inside an element, across shadow roots. */
export async function chartFindings(element: HTMLElement): Promise<readonly Finding[]> {
  const charts = [...chartsIn(element.shadowRoot ?? element)];
  const found = await Promise.all(charts.map(findingsOf));
  return found.flat();
}

async function findingsOf({ snapshot, rowSet, label }: PaTileChart): Promise<Finding[]> {
  if (!snapshot || !rowSet) return [];
  try {
    const problems = await chartProblems(snapshot, rowSet);
    return problems.map(what => ({ what: `${label}: ${what}`, advice: '' }));
  } catch {
    // The tile shows why a chart cannot be rendered.
    return [];
  }
}

function* chartsIn(root: ParentNode): Generator<PaTileChart> {
  for (const element of root.querySelectorAll('*')) {
    if (isChart(element)) yield element;
    else if (element.shadowRoot) yield* chartsIn(element.shadowRoot);
  }
}

function isChart(element: Element): element is PaTileChart {
  return element.localName === 'pa-tile-chart';
}
