import { formatSpecifier } from 'd3-format';
import type { ColumnFormat } from '../../contract/dashboards.js';
import type { Cell } from '../../contract/data.js';
import type { Column } from '../../contract/row-set.js';
import { alignedSpecifier, currencyOf, defaultFormats, numberSpecifier } from './format.js';

const timeFormats: Readonly<Record<string, string>> = {
  day: 'yyyy-mm-dd',
  week: 'yyyy-mm-dd',
  month: 'yyyy mmm',
  quarter: 'yyyy-mm',
  year: 'yyyy',
};

const maxDecimals = 20;

/**
 * Returns the format of a column as a number format of spreadsheets; `null` for text.
 * @param values Values that determine the decimals of a format that trims zeros.
 */
export function spreadsheetFormat(
  column: Column,
  override: ColumnFormat | null,
  values: Iterable<Cell>,
): string | null {
  const { type, granularity, format } = column.annotation;
  if (type === 'time') return timeFormats[granularity?.name ?? ''] ?? 'yyyy-mm-dd hh:mm:ss';
  if (type !== 'number') return null;
  if (format === 'id' && !override) return '0';
  const specifier = numberSpecifier(column, override) ?? defaultFormats.number;
  const { type: kind, precision = 6, comma, symbol, sign } = formatSpecifier(alignedSpecifier(specifier, values));
  if (kind !== 'f' && kind !== '%' && kind !== 'd') return kind === 's' ? '#,##0' : null;
  const places = kind === 'd' ? 0 : Math.min(maxDecimals, precision);
  const number = `${comma ? '#,##0' : '0'}${places > 0 ? `.${'0'.repeat(places)}` : ''}`;
  if (kind === '%') return `${number}%`;
  const money = symbol === '$' ? `${currencySymbol(currencyOf(column))}${number}` : number;
  return sign === '(' ? `${money};(${money})` : money;
}

/** Returns the symbol of a currency, quoted for a number format. */
function currencySymbol(code: string): string {
  return `"${symbolOf(code).replaceAll('"', '')}"`;
}

function symbolOf(code: string): string {
  try {
    const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
    return parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
  } catch {
    return code;
  }
}
