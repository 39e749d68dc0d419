import type { CallerData } from '../data/caller-data.js';
import { PlatformError } from '../errors.js';
import type { Agent, AgentDashboard, AgentTurn } from './agent.js';
import type { Analyst } from './analyst/analyst.js';
import { createTools } from './tools/create-tools.js';

/** Input of a summary: a dashboard with control values, and access to the data that one reader may see. */
export interface SummaryInput {
  readonly dashboard: AgentDashboard;
  readonly data: CallerData;
  readonly now: Date;
  readonly timezone: string;
  /** BCP 47 tag of the reader's language. The built-in analyst writes English. */
  readonly locale: string;
  readonly signal: AbortSignal;
}

const maxTiles = 3;
const maxParagraphs = 5;
const maxLength = 600;

const request =
  'Summarize this dashboard for a reader who receives it by mail: the most important numbers and changes of its ' +
  'reports, in at most five short sentences of plain text. Query the reports first. State only numbers from query ' +
  'results. Use no tables, lists, links or questions.';

/**
 * Writes a summary of a dashboard with a language model, or, if `model` is `null`, with the built-in analyst. Returns
 * paragraphs of plain text; empty if no report can be described.
 * @throws PlatformError if the language model fails; any error if the signal is aborted.
 */
export async function summarizeDashboard(
  { analyst, model }: { readonly analyst: Analyst; readonly model: Agent | null },
  input: SummaryInput,
): Promise<readonly string[]> {
  if (model) return paragraphsOf(await askModel(model, input));
  const { data, signal, dashboard } = input;
  const context = { data, tools: createTools(data, { timezone: input.timezone }), signal };
  const described: string[] = [];
  for (const tile of dashboard.tiles) {
    if (described.length >= maxTiles) break;
    const text = await analyst.describeTile({ ...turnOf(input), input: tile.title }, context, tile);
    described.push(...paragraphsOf(text ?? '').slice(0, 1));
  }
  return described;
}

function turnOf({ dashboard, now, timezone, locale }: SummaryInput): AgentTurn {
  return { history: [], input: request, images: [], dashboard, now, timezone, locale, resumeFrom: null };
}

async function askModel(model: Agent, input: SummaryInput): Promise<string> {
  const { data, signal, timezone } = input;
  const texts = new Map<string, string>();
  let answer = '';
  for await (const event of model.run(turnOf(input), { data, tools: createTools(data, { timezone }), signal })) {
    if (event.type === 'text') texts.set(event.id, `${texts.get(event.id) ?? ''}${event.delta}`);
    if (event.type === 'text-end' && event.final) answer = texts.get(event.id) ?? '';
    if (event.type === 'finish' && event.reason === 'failed') throw new PlatformError(503, event.message ?? 'Failed.');
  }
  signal.throwIfAborted();
  return answer;
}

/** Returns the paragraphs of a Markdown text without markup, links, tables and bidirectional control characters. */
function paragraphsOf(markdown: string): string[] {
  return markdown
    .split(/\n\s*\n/)
    .map(block => block.trim())
    .filter(block => block !== '' && !/^[|`]/.test(block))
    .map(block =>
      block
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^#+\s+/, '')
        .replace(/\\(.)|[*`]/g, (_, escaped: string | undefined) => escaped ?? '')
        .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
        .trim(),
    )
    .map(text => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text))
    .slice(0, maxParagraphs);
}
