import type { Cell, MemberAnnotation, Row } from './data.js';
import type { Column } from './row-set.js';

/** Maps the engine's name of a column type to a type of the model: `number`, `time`, `boolean` or `string`. */
export function columnType(engineType: unknown): string {
  const name = typeof engineType === 'string' ? engineType.toLowerCase() : '';
  if (/^(u?int(eger|\d+)?|bigint|smallint|tinyint|double|float(\d+)?|real|decimal|numeric|number)\b/.test(name))
    return 'number';
  if (/^(timestamp|datetime|date|time)/.test(name)) return 'time';
  return name.startsWith('bool') ? 'boolean' : 'string';
}

/** Builds a row from cells in the order of the columns. */
export function sqlRow(cells: readonly Cell[], columns: readonly Column[]): Row {
  return Object.fromEntries(columns.map(({ member, annotation }, place) => [member, cellOf(cells[place], annotation)]));
}

/** Converts booleans, which the service sends as text, according to the type of the column. */
function cellOf(value: Cell | undefined, { type }: MemberAnnotation): Cell {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value ?? null;
}

/** Returns the columns of a schema line, named as in the SQL. A number is appended to duplicate names. */
export function sqlColumns(schema: readonly unknown[]): readonly Column[] {
  const taken = new Set<string>();
  return schema.map((field, place) => {
    const { name, column_type, ...described } = propertiesOf(field);
    const own = textOf(name) ?? `column ${place + 1}`;
    let member = own;
    for (let count = 2; taken.has(member); count += 1) member = `${own} ${count}`;
    taken.add(member);
    const type = columnType(column_type);
    const [title = member, format, granularity] = [described.title, described.format, described.granularity].map(
      textOf,
    );
    return {
      member,
      kind: columnKind(type),
      annotation: {
        title,
        shortTitle: title,
        type,
        ...(format && { format }),
        ...(granularity && { granularity: { name: granularity, title: granularity } }),
      },
    };
  });
}

function propertiesOf(field: unknown): Readonly<Record<string, unknown>> {
  return typeof field === 'object' && field !== null ? { ...field } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Marks a time column as daily if all its values are at midnight, so that they are shown without a time of day. */
export function markDailyTimes(column: Column, rows: readonly Row[]): Column {
  const { member, annotation } = column;
  if (annotation.type !== 'time' || annotation.granularity || !rows.every(row => isMidnight(row[member])))
    return column;
  return { ...column, annotation: { ...annotation, granularity: { name: 'day', title: 'day' } } };
}

function isMidnight(value: Cell | undefined): boolean {
  return value === null || (typeof value === 'string' && /^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?)?$/.test(value));
}

function columnKind(type: string): Column['kind'] {
  if (type === 'number') return 'measure';
  return type === 'time' ? 'timeDimension' : 'dimension';
}
