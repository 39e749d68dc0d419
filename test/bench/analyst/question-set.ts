import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** The chart that a question set associates with a question, as the columns and aggregates that it uses. */
export interface ExpectedChart {
  /** Aggregate and its column (`null` counts rows); `null` for a chart of raw values. */
  readonly measure: { readonly column: string | null; readonly aggregate: 'count' | 'sum' | 'mean' } | null;
  /** Columns on both axes of a chart of raw values. */
  readonly raw: readonly string[];
  /** Columns that group the rows, without times. */
  readonly groups: readonly string[];
  /** Column with a time unit. */
  readonly time: string | null;
}

/** A question and the chart that its author had in mind. */
export interface SetQuestion {
  readonly text: string;
  /** Name of the data set in lowercase, which is also the name of its table. */
  readonly dataset: string;
  readonly expected: ExpectedChart;
  /** Whether the question belongs to the development half. The rules are not tuned for the other, held-out half. */
  readonly isLearned: boolean;
}

const Channel = z.looseObject({
  field: z.optional(z.string()),
  aggregate: z.optional(z.enum(['count', 'sum', 'mean'])),
  timeUnit: z.optional(z.string()),
});
type Channel = z.infer<typeof Channel>;
const Specs = z.record(z.string(), z.looseObject({ encoding: z.record(z.string(), Channel) }));

/**
 * Reads a question set with the files of the NLV Corpus: `NLV_Corpus.csv` (`Utterance Set`, `sequential`, `visId`,
 * `dataset`), `vlSpecs.json` (Vega-Lite by `dataset-visId`) and `datasets/*.csv`. Omits questions of several turns.
 */
export async function readQuestionSet(directory: string): Promise<SetQuestion[]> {
  const [table, specs] = await Promise.all([
    readFile(join(directory, 'NLV_Corpus.csv'), 'utf8'),
    readFile(join(directory, 'vlSpecs.json'), 'utf8'),
  ]);
  const charts = Specs.parse(JSON.parse(specs));
  return readCsv(table)
    .slice(1)
    .flatMap(([text = '', sequential, chart = '', name = '']) => {
      const dataset = name.toLowerCase();
      const spec = charts[`${dataset}-${chart}`];
      if (spec === undefined || sequential !== 'n') return [];
      const hash = createHash('sha256').update(`${name}${chart}${text}`).digest();
      return [{ text, dataset, expected: chartOf(spec.encoding), isLearned: (hash.at(-1) ?? 0) % 2 === 0 }];
    });
}

function chartOf(encoding: Readonly<Record<string, Channel>>): ExpectedChart {
  const channels = Object.entries(encoding);
  const figure = channels.find(([, { aggregate }]) => aggregate !== undefined)?.[1];
  const time = channels.find(([, { timeUnit }]) => timeUnit !== undefined)?.[1];
  const fields = channels.filter(([, channel]) => channel !== figure && channel !== time);
  const isRaw = figure === undefined;
  const named = (isAxis: boolean) =>
    fields.flatMap(([name, { field }]) =>
      field !== undefined && (name === 'x' || name === 'y') === isAxis ? [field] : [],
    );
  return {
    measure: figure?.aggregate ? { column: figure.field ?? null, aggregate: figure.aggregate } : null,
    raw: isRaw ? named(true) : [],
    groups: [...new Set([...(isRaw ? [] : named(true)), ...named(false)])],
    time: time?.field ?? null,
  };
}

/** Parses CSV with quoted cells. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter(row => row.length > 1);
}
