import * as z from 'zod/mini';
import { maxReplyLength, ToolName } from '../../../contract/chat.js';
import { JsonObject } from '../../../contract/wire.js';
import type { Formatter } from '../../../report/format/format.js';
import { PlatformError } from '../../errors.js';
import type { AgentContext, AgentDashboard, AgentEvent, AgentTile, AgentTurn } from '../agent.js';
import { answerOf, isSupporting, latestQuestion, noDataText } from './answering/answer.js';
import { chartOf } from './answering/chart.js';
import { ofLaterPeriod } from './answering/compared-chart.js';
import { completionOf, withComputed } from './answering/computed-values.js';
import { contributionsOf } from './answering/contributions.js';
import { titleOf } from './answering/describe-reading.js';
import { plainText } from './answering/markdown.js';
import { type Result, resultOf } from './answering/results.js';
import { withSelectedRows } from './answering/selected-rows.js';
import { findGroups, suggestFollowUps, suggestQuestions } from './answering/suggestions.js';
import { askText, helpText, refusalText, showsExamples } from './answering/talk.js';
import type { CallerMemory } from './caller-memory.js';
import { answerControlRequest, type ControlRequest, controlProblem, readControlRequest } from './control-request.js';
import { EarlyOutcome, type Outcome } from './reading/outcome.js';
import { lastReading } from './reading/past-turns.js';
import { emptyReading, type Reading } from './reading/reading.js';
import { otherSide, queriesOf } from './reading/to-query.js';
import { callTool, runQueries } from './run-queries.js';
import type { Session } from './session.js';
import { isAboutTile, isCauseWanted, tileOf, turnOfTile } from './tile-question.js';
import type { CoveredDays, DateSpan } from './time/date-span.js';
import { labelLocale } from './vocabulary/languages.js';
import type { Member } from './vocabulary/lexicon.js';

/** Input for answering one turn. */
export interface Response {
  readonly turn: AgentTurn;
  readonly context: AgentContext;
  readonly memory: CallerMemory;
  readonly session: Session;
  /** Formatter for the language of the reader. */
  readonly formatter: Formatter;
}

/** State of a run that has set the controls; an interrupted run resumes from it. */
const ControlState = z.object({ controls: JsonObject });

/** Answers a turn without the `usage` and `finish` events. Ends without an error when it is aborted. */
export async function* respond(given: Response): AsyncGenerator<AgentEvent> {
  const response = { ...given, turn: { ...given.turn, locale: labelLocale(given.turn.input, given.turn.locale) } };
  const { turn, session } = response;
  const request = turn.dashboard && turn.images.length === 0 ? readControlRequest(turn.input) : null;
  if (request && turn.dashboard) return yield* respondToControlRequest(response, request, turn.dashboard);
  const tile = turn.images.length > 0 ? null : tileOf(turn);
  if (tile) return yield* respondAboutTile(response, tile);
  const outcome: Outcome =
    turn.images.length > 0
      ? { kind: 'refuse', refusal: { reason: 'images' } }
      : await session.resolve(turn.history, turn.input);
  yield* respondTo(outcome, response);
}

/** Answers a question about a tile: explains the tile, or changes its query as a follow-up question does. */
async function* respondAboutTile(response: Response, tile: AgentTile): AsyncGenerator<AgentEvent> {
  const { turn, session, memory } = response;
  const title = plainText(tile.title, 200);
  const past = turnOfTile(tile, turn);
  const reading = past && lastReading([past], memory.lexicon);
  if (!isAboutTile(turn.input)) {
    if (!reading) yield* noted(`I can’t change the query of “${title}”, so I interpret the question without it.`);
    return yield* respondTo(await session.resolve(reading ? [past] : turn.history, turn.input), response);
  }
  if (isCauseWanted(turn.input)) yield* noted(`I can’t explain causes. These are the numbers of “${title}”.`);
  if (reading) return yield* answered(response, reading);
  const input = { query: tile.query, queryTitle: tile.title.slice(0, 200), description: tile.description };
  yield { type: 'tool-call', id: 'query-1', name: ToolName.dataQuery, input };
  yield { type: 'tool-result', id: 'query-1', result: await callTool(response.context, ToolName.dataQuery, input) };
  yield* spoken(`“${title}” shows the rows above. ${plainText(tile.description, 400)}`.trim());
}

/** Sets the controls of the dashboard if a message requests a change to it. */
async function* respondToControlRequest(
  { turn, session, memory, context }: Response,
  request: ControlRequest,
  dashboard: AgentDashboard,
): AsyncGenerator<AgentEvent> {
  const done = ControlState.safeParse(turn.resumeFrom);
  if (done.success) return yield* reportedProblem(done.data.controls);
  const found = await answerControlRequest(request, { dashboard, turn, session, lexicon: memory.lexicon });
  if (context.signal.aborted) return;
  if ('refusal' in found) return yield* spoken(found.refusal);
  const input = { values: found.values };
  yield { type: 'tool-call', id: 'controls-1', name: ToolName.setDashboardControls, input };
  const result = await callTool(context, ToolName.setDashboardControls, input);
  yield { type: 'tool-result', id: 'controls-1', result };
  yield { type: 'step', state: { controls: result } };
  yield* reportedProblem(result);
}

async function* reportedProblem(result: JsonObject): AsyncGenerator<AgentEvent> {
  const problem = controlProblem(result);
  if (problem !== null) yield* spoken(problem);
}

async function* respondTo(outcome: Outcome, response: Response): AsyncGenerator<AgentEvent> {
  const { context, turn } = response;
  const gap = outcome.kind === 'reading' ? await gapOf(response, outcome.reading) : null;
  if (context.signal.aborted) return;
  if (outcome.kind !== 'reading') return yield* respondWithoutFigures(outcome, response);
  const corrections = (outcome.corrections ?? []).map(
    ({ written, read }) => `I read “${plainText(written)}” as “${plainText(read)}”.`,
  );
  if (corrections.length > 0) yield* noted(corrections.join(' '));
  if (gap === null) return yield* answered(response, outcome.reading);
  yield* offered([latestQuestion(outcome.reading, gap)], context);
  if (!context.signal.aborted) yield* spoken(noDataText(outcome.reading, gap, turn.locale));
}

/**
 * Answers with a clarifying question, a refusal or help. The meanings of a question and the examples are also offered
 * as replies.
 */
async function* respondWithoutFigures(
  outcome: Exclude<Outcome, { kind: 'reading' }>,
  { turn, memory, session, context }: Response,
): AsyncGenerator<AgentEvent> {
  const isHelpful = outcome.kind === 'help' || (outcome.kind === 'refuse' && showsExamples(outcome.refusal));
  const examples = isHelpful ? await suggestQuestions(memory.lexicon, session) : [];
  const near = outcome.kind === 'refuse' && 'near' in outcome.refusal ? outcome.refusal.near : [];
  const named = await Promise.all(near.map(title => session.resolve(turn.history, title)));
  if (context.signal.aborted) return;
  const replies =
    outcome.kind === 'ask'
      ? repliesOf(outcome)
      : [...near.filter((_, index) => named[index]?.kind === 'reading'), ...examples];
  yield* offered(replies, context);
  if (outcome.kind === 'ask') yield* spoken(askText(outcome));
  else yield* spoken(outcome.kind === 'help' ? helpText(examples) : refusalText(outcome.refusal, examples));
}

/** Offers replies as buttons below the answer, unless the agent has no tool for that. */
async function* offered(replies: readonly string[], context: AgentContext): AsyncGenerator<AgentEvent> {
  if (replies.length === 0 || !context.tools.has(ToolName.suggestReplies)) return;
  const input = { replies: replies.map(reply => reply.slice(0, maxReplyLength)) };
  yield { type: 'tool-call', id: 'replies-1', name: ToolName.suggestReplies, input };
  yield { type: 'tool-result', id: 'replies-1', result: await callTool(context, ToolName.suggestReplies, input) };
}

/** Returns the replies to a clarifying question: `Yes` if there is one meaning, otherwise the label of each meaning. */
function repliesOf({ choices }: Extract<Outcome, { kind: 'ask' }>): readonly string[] {
  const [only, ...others] = choices;
  return only && others.length === 0 ? ['Yes'] : choices.map(({ label }) => label);
}

/**
 * Returns the range of days with data if the requested period is outside it. The answer then states this range instead
 * of zero.
 */
async function gapOf({ session }: Response, { span, time, computation }: Reading): Promise<CoveredDays | null> {
  if (span === null || time === null) return null;
  const days = await session.days(time);
  if (days === null) return null;
  const spans = 'against' in computation && 'from' in computation.against ? [span, computation.against] : [span];
  const isOutside = ({ from, to }: DateSpan) =>
    (from?.slice(0, 10) ?? '') > days.last || (to?.slice(0, 10) ?? '9') < days.first;
  return spans.some(isOutside) ? days : null;
}

/** Answers an interpreted question: runs its queries and describes the results. */
export async function* answered(response: Response, understood: Reading): AsyncGenerator<AgentEvent> {
  const { turn, context, session, formatter } = response;
  const prepared = await prepare(understood, context);
  if (context.signal.aborted) return;
  if ('refusal' in prepared) return yield* spoken(prepared.refusal);
  const { reading, contributions } = prepared;
  // Start this here, so that it runs concurrently with the queries of the answer. It never rejects.
  const groups = findGroups(reading, response.memory.lexicon, member => session.isVaried(member));
  const inputs = inputsOf(reading, turn.locale);
  const given = yield* runQueries(inputs, {
    context,
    resumeFrom: turn.resumeFrom,
    complete: completionOf(reading, turn.locale),
    annotate: (result, index) => {
      const computed = index === 0 ? withComputed(reading, result) : result;
      return isSupporting(reading, result, index) ? { ...computed, isSupporting: true } : computed;
    },
  });
  if (context.signal.aborted) return;
  const results: Result[] = [];
  for (const result of given) {
    const read = resultOf(result);
    if ('error' in read) return yield* spoken(`The query could not be answered: ${plainText(read.error, 400)}`);
    results.push(results.length === 0 ? ofLaterPeriod(read) : read);
  }
  const { time, span, computation } = reading;
  const isDaysNeeded = computation.kind === 'unusual' || (span !== null && isBare(results[0], reading));
  const days = time && isDaysNeeded ? await session.days(time) : null;
  const { locale } = turn;
  yield* offered(await followUps(reading, inputs, await groups, response), context);
  if (context.signal.aborted) return;
  yield* spoken(answerOf({ reading, results, locale, formatter, days, today: session.today, contributions }));
}

/** Returns follow-up questions that the analyst can answer after this turn. */
function followUps(
  reading: Reading,
  inputs: readonly JsonObject[],
  groups: readonly Member[],
  { turn, session, memory }: Response,
): Promise<readonly string[]> {
  const calls = inputs.map(input => ({ name: ToolName.dataQuery, input, result: undefined }));
  const history = [...turn.history, { input: turn.input, answer: '', calls }];
  return suggestFollowUps(reading, {
    lexicon: memory.lexicon,
    groups,
    readingOf: async question => {
      const outcome = await session.resolve(history, question);
      return outcome.kind === 'reading' ? outcome.reading : null;
    },
  });
}

type Prepared =
  | { readonly reading: Reading; readonly contributions: Awaited<ReturnType<typeof contributionsOf>> }
  | { readonly refusal: string };

/** Runs the queries that determine the rows of a ranking, or the contributions to a change. */
async function prepare(understood: Reading, context: AgentContext): Promise<Prepared> {
  try {
    const reading = await withSelectedRows(understood, context);
    return { reading, contributions: await contributionsOf(reading, context) };
  } catch (error) {
    if (error instanceof EarlyOutcome && error.outcome.kind === 'refuse')
      return { refusal: refusalText(error.outcome.refusal, []) };
    if (error instanceof PlatformError)
      return { refusal: `The query could not be answered: ${plainText(error.message, 400)}` };
    throw error;
  }
}

/** Whether the result has no rows or no values. */
function isBare(result: Result | undefined, { measures }: Reading): boolean {
  if (result === undefined) return true;
  const columns = measures.map(({ name }) => result.indexOf(name));
  return result.rows.every(
    row => columns.length > 0 && columns.every(column => row[column] === null || Number(row[column]) === 0),
  );
}

/** Returns the inputs of the tool calls. The first one contains the chart. */
function inputsOf(reading: Reading, locale: string): JsonObject[] {
  const titles = titlesOf(reading, locale);
  const vegaSpec = chartOf(reading);
  return queriesOf(reading).map((query, index) => {
    const title = titles[index] ?? '';
    const chart = index === 0 && vegaSpec ? { vegaSpec } : {};
    return { query, queryTitle: title.slice(0, 200), description: title, ...chart };
  });
}

/** Returns the title of each query. In a comparison of periods, each title names its period. */
function titlesOf(reading: Reading, locale: string): string[] {
  const { computation, span } = reading;
  const title = titleOf(reading, locale);
  if (computation.kind === 'share') return [title, `The total of ${title}`];
  const other = otherSide(reading);
  if (other) return [reading, other].map(side => titleOf({ ...side, computation: emptyReading.computation }, locale));
  if (computation.kind !== 'contributions') return [title];
  const whole = { ...reading, dimensions: [], computation: emptyReading.computation };
  return [span, computation.against].map(period => titleOf({ ...whole, span: period }, locale));
}

/** States a limitation before the answer. */
async function* noted(text: string): AsyncGenerator<AgentEvent> {
  yield { type: 'text', id: 'note', delta: text };
  yield { type: 'text-end', id: 'note', final: false };
}

/** Number of words per chunk of streamed text. */
const pieceWords = 4;

/** Streams the text of an answer in chunks. */
async function* spoken(text: string): AsyncGenerator<AgentEvent> {
  const id = 'answer';
  const words = text.match(/\s*\S+\s*/g) ?? [];
  for (let start = 0; start < words.length; start += pieceWords) {
    yield { type: 'text', id, delta: words.slice(start, start + pieceWords).join('') };
  }
  yield { type: 'text-end', id, final: true };
}
