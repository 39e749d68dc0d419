import type { Violation } from '../../../controllers/dashboard/debug-controller.js';
import { chartProblems } from '../../../controllers/report/chart-problems.js';
import type { PaErrorDetail } from '../../../controllers/session/session-events.js';
import type { PaTileChart } from '../chart/chart-element.js';

/** What the page is known to do, as far as it bears on an element that shows nothing. */
interface Facts {
  /**
   * Status of the session; `undefined-tag` where a `<pa-session>` stands around that nothing defines, `unnamed` where it
   * says not where a session comes from, null where none stands around.
   */
  readonly session: string | null;
  /** Why there is no session, or no new one. */
  readonly sessionError: PaErrorDetail | null;
  /** Origin of the page. */
  readonly origin: string;
  /** What the content security policy of the page blocked since the element is there. */
  readonly violations: readonly Violation[];
  readonly errors: readonly PaErrorDetail[];
  /** Width that the element has, px. */
  readonly width: number;
}

/** What keeps an element from working, and what to do about it. */
export interface Finding {
  readonly what: string;
  readonly advice: string;
}

/** Says in words what keeps an element from working; nothing where nothing is known to. */
export function findings(facts: Facts): readonly Finding[] {
  const blocked = facts.violations.map(violation => ofViolation(violation, facts.origin));
  const errors = facts.sessionError ? [facts.sessionError, ...facts.errors] : facts.errors;
  const failed = errors.map(error => ofError(error, facts));
  return unique([...ofSession(facts), ...blocked, ...failed, ...ofSize(facts.width)]);
}

const mintAdvice = 'Look at what session-url answers: 200 and {"sessionId": "…"} of a session minted just now.';

function ofSession({ session, sessionError }: Facts): Finding[] {
  switch (session) {
    case null:
      return [
        {
          what: 'No session is named.',
          advice:
            'Put <pa-session session-url="…" base-url="…"> around the element, or give it session-url and base-url.',
        },
      ];
    case 'unnamed':
      return [
        {
          what: 'There is a <pa-session> around the element, and it names no session.',
          advice: 'Give it base-url, and session-url or the property session.',
        },
      ];
    case 'undefined-tag':
      return [
        {
          what: 'There is a <pa-session> around the element, and nothing defines that tag.',
          advice: 'Import pa-embed, or pa-embed/pa-session beside the element.',
        },
      ];
    case 'expired':
    case 'failed':
      return [
        {
          what: `The session is ${session}.`,
          // Who could not be reached has answered nothing that could be looked at.
          advice: sessionError?.code === 'connection_failed' ? '' : mintAdvice,
        },
      ];
    case 'ended':
      return [{ what: 'The session was ended by end().', advice: 'Call start() on <pa-session>.' }];
    default:
      return [];
  }
}

function ofViolation({ directive, policy, blocked }: Violation, origin: string): Finding {
  const isOutside = /^https?:/.test(blocked) && blocked !== origin;
  const allowed = isOutside ? blocked : "'self'";
  const stated = statedIn(policy, directive);
  const what = `The page's content security policy blocked ${blocked || 'something'} by ${stated}`;
  if (blocked === 'inline' || blocked === 'eval' || blocked.startsWith('trusted-types'))
    return {
      what: `${what}.`,
      advice:
        'pa-embed needs neither inline code nor eval: see which script of the page does. Under trusted-types allow lit-html.',
    };
  // A directive of its own takes the place of default-src.
  if (stated === 'default-src' && directive !== stated) {
    const own = directive.replace(narrower, '');
    return {
      what: `${what}, which stands for ${own}.`,
      advice: `Add ${own} to the header Content-Security-Policy, with all that default-src allows and ${allowed}.`,
    };
  }
  return { what: `${what}.`, advice: `Add ${allowed} to ${stated} of the header Content-Security-Policy.` };
}

/** Ends of the directives that a policy seldom states: it says `script-src` for all scripts. */
const narrower = /-(?:elem|attr)$/;

/** The directive of a policy that decides on what a directive is for. */
function statedIn(policy: string, directive: string): string {
  const names = policy.split(/[;,]/).map(part => part.trim().split(/\s/, 1)[0]?.toLowerCase());
  const wider = [directive, directive.replace(narrower, ''), 'default-src'];
  return wider.find(name => names.includes(name)) ?? directive;
}

/** By codes of errors: what it most often means for whoever builds the page. */
const advices: Readonly<Record<string, string>> = {
  not_found:
    'Is the public id right, is the dashboard published, and is it shared with the tenant of this session (embedAccess)?',
  not_allowed: 'Embedding is off for this dashboard (allowEmbed), or the session may not do this.',
  not_authenticated: 'A session id serves once and for five minutes: mint a new one for every request to session-url.',
  rate_limited: 'Too many requests: look for an element that is put on the page again and again.',
  invalid_response: 'The address answers, but not as the platform does: check base-url and data-api-path.',
  chunk_not_loaded: 'A file of the package is missing where the page looks for it: deploy all of its chunks.',
};

/** Words for what comes without any. */
const words: Readonly<Record<string, string>> = { chunk_not_loaded: 'A file of the package could not be loaded.' };

function ofError({ code, message, status, widgetId }: PaErrorDetail, { origin, violations }: Facts): Finding {
  const where = widgetId === null ? '' : `Tile ${widgetId}: `;
  const what = `${where}${message || words[code] || code}${status === null ? '' : ` (${status})`}`;
  const isBlocked = violations.some(violation => explains(violation, code));
  if (isBlocked) return { what, advice: 'See what the policy blocked.' };
  if (code !== 'connection_failed') return { what, advice: advices[code] ?? '' };
  return {
    what,
    advice: `Where it runs and answers other pages, it refuses this one (CORS): start it with --allow-origin ${origin}.`,
  };
}

/** Whether what was blocked makes for an error of this code: a file that is missing may be what would have asked for a session. */
function explains({ directive, blocked }: Violation, code: string): boolean {
  const isFile = directive.startsWith('script-src') && /^https?:/.test(blocked);
  return code === 'connection_failed' ? isFile || directive === 'connect-src' : code === 'chunk_not_loaded' && isFile;
}

function ofSize(width: number): Finding[] {
  if (width > 0) return [];
  return [
    { what: 'The element is 0 px wide.', advice: 'Give what stands around it a width, and look for display: none.' },
  ];
}

function unique(list: readonly Finding[]): readonly Finding[] {
  return [...new Map(list.map(finding => [finding.what, finding])).values()];
}

/** What is wrong with the charts inside an element, across its shadow roots. */
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
    // The tile itself shows what keeps a chart from being drawn.
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
