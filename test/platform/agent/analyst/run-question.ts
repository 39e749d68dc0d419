import { ToolName } from '../../../../src/contract/chat.js';
import type { Query } from '../../../../src/contract/query.js';
import type { Agent, AgentEvent, AgentTurn, PastCall, PastTurn } from '../../../../src/platform/agent/agent.js';
import type { Expected, ExpectedQuery } from './question.js';
import type { World } from './worlds.js';

/** Outcome of a turn as the user sees it. */
export interface Answer {
  readonly turn: PastTurn;
  readonly text: string;
  readonly queries: readonly Query[];
  readonly marks: readonly string[];
  readonly events: readonly AgentEvent[];
}

interface Chart {
  readonly mark: { readonly type: string };
}

/** Runs one question and collects the outcome. */
export async function ask(agent: Agent, world: World, input: string, more: Partial<AgentTurn> = {}): Promise<Answer> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(world.turn(input, more), world.context())) events.push(event);
  const text = events.flatMap(event => (event.type === 'text' ? [event.delta] : [])).join('');
  const results = new Map(
    events.flatMap(event => (event.type === 'tool-result' ? [[event.id, event.result] as const] : [])),
  );
  const calls = events.flatMap((event): PastCall[] =>
    event.type === 'tool-call' ? [{ name: event.name, input: event.input, result: results.get(event.id) }] : [],
  );
  const queries = calls.filter(({ name }) => name === ToolName.dataQuery);
  const inputs = queries.map(call => call.input as { query: Query; vegaSpec?: Chart | { layer: readonly Chart[] } });
  return {
    turn: { input, answer: text, calls },
    text,
    queries: inputs.map(({ query }) => query),
    marks: inputs.map(({ vegaSpec }) => {
      const charts = vegaSpec && 'layer' in vegaSpec ? vegaSpec.layer : [vegaSpec];
      return charts.map(chart => chart?.mark.type ?? 'table').join(' and ');
    }),
    events,
  };
}

/** Returns the difference between an answer and the expectation, or `null` if it matches. */
export function wrongWith(answer: Answer, expected: Expected, world: World): string | null {
  if (typeof expected === 'string') {
    const kind = kindOf(answer);
    return expected.split(' or ').includes(kind)
      ? null
      : `${kind} instead of ${expected}: ${JSON.stringify(answer.queries)} ${answer.text.slice(0, 200)}`;
  }
  if (answer.text.includes('could not be answered')) return answer.text;
  if (answer.queries.length === 0) return `no query: ${answer.text.slice(0, 300)}`;
  const normalized = [expected, ...(expected.second ? [expected.second] : [])].map(one => normal(one, world));
  const got = answer.queries.map((query, index) => plain(query, [expected, expected.second][index]));
  if (JSON.stringify(normalized) !== JSON.stringify(got))
    return `expected ${JSON.stringify(normalized)}\n      got    ${JSON.stringify(got)}`;
  if (expected.as && answer.marks[0] !== expected.as) return `drawn as ${answer.marks[0]} instead of ${expected.as}`;
  return null;
}

/** Returns the kind of an outcome. */
export function kindOf({ queries, text }: Answer): string {
  if (queries.length > 0) return 'answers';
  if (text.includes('I am the built-in analyst')) return 'helps';
  return /do you mean|Please ask again|I did not understand/i.test(text) ? 'asks' : 'refuses';
}

const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : ([value].flat() as T[]);

function normal(expected: ExpectedQuery, { cube }: World) {
  const full = (name: string) => (name.includes('.') ? name : `${cube}.${name}`);
  const order =
    typeof expected.o === 'string'
      ? [full(list(expected.m)[0] ?? ''), expected.o]
      : expected.o && [full(expected.o[0]), expected.o[1]];
  return {
    measures: list(expected.m).map(full),
    dimensions: list(expected.d).map(full),
    granularity: expected.t ?? null,
    range: expected.range ?? null,
    on: expected.on ? full(expected.on) : null,
    filters: (expected.f ?? []).map(([member, ...rest]) => [full(member), ...rest]).sort(),
    segments: list(expected.s).map(full).sort(),
    order: order ?? null,
    limit: expected.n ?? null,
  };
}

function plain(query: Query, expected: ExpectedQuery | undefined) {
  const [time] = query.timeDimensions ?? [];
  const filters = (query.filters ?? []).map(filter =>
    'member' in filter ? [filter.member, filter.operator, ...(filter.values ?? [])] : [JSON.stringify(filter)],
  );
  return {
    measures: query.measures ?? [],
    dimensions: query.dimensions ?? [],
    granularity: time?.granularity ?? null,
    range: time?.dateRange ?? null,
    on: expected?.on ? (time?.dimension ?? null) : null,
    filters: filters.sort(),
    segments: [...(query.segments ?? [])].sort(),
    order: expected?.o && Array.isArray(query.order) ? query.order[0] : null,
    limit: query.limit ?? null,
  };
}
