import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Column } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { bucketSpan } from '../../report/dates/time-buckets.js';
import { currencyOf, numberSpecifier } from '../../report/format/format.js';
import { pathOf } from './field-paths.js';
import { isObject, type SpecNodes } from './spec.js';

/** Format specifier of value axes in a currency: short numbers with the currency symbol. */
export const moneySpecifier = '$';

/** Prefix of the specifier that formats a whole period: `paPeriod:<months>:<milliseconds>`. */
export const periodSpecifier = 'paPeriod:';

/** Legend channels that reference a scale. */
const channels = ['fill', 'stroke', 'size', 'opacity', 'strokeWidth'];

type Formats = NonNullable<ReportSnapshot['preferences']>['columnFormats'];

/** Applies column formats to axes, legends and tooltips for which the specification sets no format. */
export function formatByColumns(nodes: SpecNodes, columns: readonly Column[], formats: Formats): void {
  const specifiers = new Map(columns.map(column => [column.member, numberSpecifier(column, formats?.[column.member])]));
  const scales = new Map<string, string>();
  for (const [node, key] of nodes) {
    if (key !== 'scales' || !isObject(node.domain)) continue;
    const expected = fieldsOf(node.domain).map(field => axisSpecifier(specifiers.get(measureIn(field, columns) ?? '')));
    const [format] = expected;
    if (format && expected.every(other => other === format)) scales.set(String(node.name), format);
  }
  for (const [node, key] of nodes) {
    if (key === 'axes' || key === 'legends') {
      const names = key === 'axes' ? [node.scale] : channels.map(channel => node[channel]);
      const format = names.map(name => scales.get(String(name))).find(Boolean);
      if (format && node.format === undefined && node.formatType === undefined) node.format = format;
    } else if (key === 'tooltip' && typeof node.signal === 'string') {
      node.signal = formatTooltip(node.signal, columns, specifiers);
    }
  }
}

/** Returns the currency of a chart: the first valid currency code of its columns. */
export function currencyIn(columns: readonly Column[]): string {
  const currencies = columns.filter(({ annotation }) => annotation.currency).map(currencyOf);
  return currencies.find(currency => /^[A-Z]{3}$/.test(currency)) ?? 'USD';
}

/** Returns the fields in the domain of a scale. Layers that share a scale have one field each. */
export function fieldsOf({ field, fields }: JsonObject): string[] {
  return [field, fields]
    .flat()
    .map(each => (isObject(each) ? each.field : each))
    .filter(each => typeof each === 'string');
}

/**
 * Returns the column of a field in a compiled specification. The field may be aggregated or stacked:
 * `sum_orders.total_start`.
 */
function measureIn(field: string, columns: readonly Column[]): string | null {
  const name = pathOf(field).join('.');
  const plain = name.replace(/_(?:start|end)$/, '').replace(/^(?:sum|mean|average|median|min|max)_/, '');
  return columns.find(({ member }) => member === name || member === plain)?.member ?? null;
}

/**
 * Returns the axis format for a column format. Only the kind (percent, currency) is used, because the step of the ticks
 * determines the decimals.
 */
function axisSpecifier(specifier: string | null | undefined): string | null {
  if (!specifier) return null;
  if (specifier.includes('%')) return '%';
  return specifier.includes('$') ? moneySpecifier : null;
}

const figure = /format\(datum\["((?:[^"\\]|\\.)*)"\], ""\)/g;
const time = /timeFormat\(datum\["((?:[^"\\]|\\.)*)"\], "%x"\)/g;
/** Matches how Vega-Lite writes the value of a discrete channel. */
const discrete =
  /isValid\(datum\["((?:[^"\\]|\\.)*)"\]\) \? isArray\(datum\["\1"\]\) \? join\(datum\["\1"\], '\\n'\) : datum\["\1"\] : ""\+datum\["\1"\]/g;

function formatTooltip(
  signal: string,
  columns: readonly Column[],
  specifiers: ReadonlyMap<string, string | null>,
): string {
  const period = (written: string, quoted: string) => {
    const member = quoted.replaceAll('\\', '');
    const column = columns.find(other => other.member === member && other.annotation.type === 'time');
    const span = column && bucketSpan(column);
    if (!span) return written;
    return `timeFormat(datum["${quoted}"], "${periodSpecifier}${span.months}:${span.milliseconds}")`;
  };
  return signal
    .replace(figure, (written, quoted: string) => {
      const specifier = specifiers.get(measureIn(quoted.replaceAll('.', '\\.'), columns) ?? '');
      return specifier ? `format(datum["${quoted}"], ${JSON.stringify(specifier)})` : written;
    })
    .replace(time, period)
    .replace(discrete, period);
}
