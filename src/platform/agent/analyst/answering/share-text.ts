import { ComputedColumn, type DataQueryColumn } from '../../../../contract/chat.js';
import type { Cell } from '../../../../contract/data.js';
import type { JsonObject } from '../../../../contract/wire.js';
import type { Reading } from '../reading/reading.js';
import { isShareOfPart } from '../reading/to-query.js';
import { chartOf } from './chart.js';
import { plainText } from './markdown.js';
import {
  cellOf,
  groupWords,
  keyColumns,
  labelOf,
  numberAt,
  type Result,
  resultOf,
  rowKey,
  shownRows,
  tableOf,
  type Writer,
} from './results.js';

/** Describes the share of a total. */
export function sharedTotal(reading: Reading, part: Result, whole: Result, writer: Writer): string {
  const [measure] = reading.measures;
  if (measure === undefined) return '';
  const [some, all] = [part, whole].map(result => numberAt(result, result.rows[0], measure.name));
  if (some == null || all == null || all === 0)
    return `The total of ${plainText(measure.title)} is zero or unknown, so there is no share.`;
  const shown = (result: Result) => writer.cell(measure.name, cellOf(result, result.rows[0], measure.name));
  return `**${writer.percent(some / all)}** of ${plainText(measure.title)}: ${shown(part)} of ${shown(whole)}.`;
}

/** Returns a table of shares of the total, or of each group. */
export function sharedRows(reading: Reading, parts: Result, whole: Result, writer: Writer): string {
  const [measure] = reading.measures;
  const isPerGroup = isShareOfPart(reading);
  const wholeRow = wholeRows(reading, parts, whole);
  const [first] = parts.rows;
  if (measure === undefined || first === undefined) return 'The total is zero or unknown, so there is no share.';
  const share = shares(reading, parts, whole);
  const shareOf = (row: readonly Cell[]) => {
    const value = share(row);
    return value === null ? '–' : writer.percent(value);
  };
  const cell = (result: Result, row: readonly Cell[] | undefined) =>
    writer.cell(measure.name, cellOf(result, row, measure.name));
  const rows = parts.rows.slice(0, shownRows).map(row => {
    const cells = [labelOf(reading, parts, row, writer), cell(parts, row)];
    return [...cells, ...(isPerGroup ? [cell(whole, wholeRow(row))] : []), shareOf(row)];
  });
  const title = plainText(measure.title);
  const total = isPerGroup ? 'the total of the same group' : `**${cell(whole, whole.rows[0])}** in total`;
  const lead = `${title} by ${groupWords(reading)}, of ${total}. ${labelOf(reading, parts, first, writer)} has **${shareOf(first)}**.`;
  const head = [groupWords(reading), title, ...(isPerGroup ? ['All'] : []), 'Share'];
  return `${lead}\n${tableOf(head, rows)}`;
}

const shareColumn = ComputedColumn.share;

/**
 * Adds the share of each row to the result of the parts, whose chart then shows the shares.
 * @param results - the results of the parts and of the whole, as the tool returned them.
 */
export function withShares(reading: Reading, [part, total, ...others]: readonly JsonObject[]): readonly JsonObject[] {
  const [measure] = reading.measures;
  const [parts, whole] = [part, total].map(result => resultOf(result ?? {}));
  if (!part || !total || !measure || !parts || !whole) return [part, total].filter(result => result !== undefined);
  if ('error' in parts || 'error' in whole || keyColumns(reading).length === 0) return [part, total, ...others];
  const share = shares(reading, parts, whole);
  const title = `Share of ${measure.title}`;
  const chart = part.vegaSpec ? chartOf({ ...reading, measures: [{ ...measure, name: shareColumn, title }] }) : null;
  const column: DataQueryColumn = { name: shareColumn, column_type: 'Double', title, format: '.1%' };
  const schema = [...(Array.isArray(part.schema) ? part.schema : []), column];
  const data = parts.rows.map(row => [...row, textOf(share(row))]);
  return [{ ...part, schema, data, ...(chart && { vegaSpec: JSON.stringify(chart) }) }, total, ...others];
}

function textOf(share: number | null): string | null {
  return share === null ? null : String(share);
}

/** Returns the function that computes the share of a row; `null` if it cannot be computed. */
function shares(reading: Reading, parts: Result, whole: Result): (row: readonly Cell[]) => number | null {
  const [measure] = reading.measures;
  const wholeRow = wholeRows(reading, parts, whole);
  return row => {
    if (measure === undefined) return null;
    const [some, all] = [numberAt(parts, row, measure.name), numberAt(whole, wholeRow(row), measure.name)];
    return some === null || all === null || all === 0 ? null : some / all;
  };
}

/** Returns a function that takes a row of the parts and finds the matching row of the whole. */
function wholeRows(
  reading: Reading,
  parts: Result,
  whole: Result,
): (row: readonly Cell[]) => readonly Cell[] | undefined {
  const isPerGroup = isShareOfPart(reading);
  const rows = new Map(whole.rows.map(row => [isPerGroup ? rowKey(reading, whole, row) : '', row]));
  return row => rows.get(isPerGroup ? rowKey(reading, parts, row) : '');
}
