import type { Cell } from '../../../../contract/data.js';
import type { Reading } from '../reading/reading.js';
import { isShareOfPart } from '../reading/to-query.js';
import { plainText } from './markdown.js';
import {
  cellOf,
  groupWords,
  keyColumns,
  labelOf,
  numberAt,
  type Result,
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
  const keyOf = (result: Result, row: readonly Cell[]) =>
    JSON.stringify(keyColumns(reading).map(key => cellOf(result, row, key)));
  const wholes = new Map(whole.rows.map(row => [isPerGroup ? keyOf(whole, row) : '', row]));
  const wholeRow = (row: readonly Cell[]) => wholes.get(isPerGroup ? keyOf(parts, row) : '');
  const [first] = parts.rows;
  if (measure === undefined || first === undefined) return 'The total is zero or unknown, so there is no share.';
  const shareOf = (row: readonly Cell[]) => {
    const [some, all] = [numberAt(parts, row, measure.name), numberAt(whole, wholeRow(row), measure.name)];
    return some === null || all === null || all === 0 ? '–' : writer.percent(some / all);
  };
  const cell = (result: Result, row: readonly Cell[] | undefined) =>
    writer.cell(measure.name, cellOf(result, row, measure.name));
  const rows = parts.rows.slice(0, shownRows).map(row => {
    const cells = [labelOf(reading, parts, row, writer), cell(parts, row)];
    return [...cells, ...(isPerGroup ? [cell(whole, wholeRow(row))] : []), shareOf(row)];
  });
  const title = plainText(measure.title);
  const total = isPerGroup ? 'all in the same group' : `**${cell(whole, whole.rows[0])}** in total`;
  const lead = `${title} by ${groupWords(reading)}, of ${total}. ${labelOf(reading, parts, first, writer)} has **${shareOf(first)}**.`;
  const head = [groupWords(reading), title, ...(isPerGroup ? ['All'] : []), 'Share'];
  return `${lead}\n${tableOf(head, rows)}`;
}
