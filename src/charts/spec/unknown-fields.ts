import type { JsonObject } from '../../contract/wire.js';
import { expressionPaths, type FieldPath, pathOf } from './field-paths.js';
import { openDataset } from './prepare.js';
import { isObject, objects } from './spec.js';

/** Fields of a data set. */
interface Fields {
  readonly names: ReadonlySet<string>;
  /** True if the rows determine the field names, as with a pivot: any name may exist. */
  readonly isOpen: boolean;
  /** True if the rows come from the report's query. */
  readonly isQuery: boolean;
}

type Scope = ReadonlyMap<string, Fields>;

const open: Fields = { names: new Set(), isOpen: true, isQuery: false };

/** Keys of transforms that reference fields of their input rows. */
const readKeys = ['field', 'fields', 'groupby', 'key', 'sort', 'weight', 'x', 'y'];

/** Fields that a transform adds if its `as` does not name them. Transforms that are not listed may add any field. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  aggregate: ['count'],
  bin: ['bin0', 'bin1'],
  collect: [],
  countpattern: ['text', 'count'],
  cross: ['a', 'b'],
  density: ['value', 'density'],
  dotbin: ['bin'],
  extent: [],
  filter: [],
  flatten: ['index'],
  fold: ['key', 'value'],
  formula: [],
  identifier: [],
  impute: [],
  joinaggregate: ['count'],
  kde: ['value', 'density'],
  loess: [],
  lookup: [],
  pie: ['startAngle', 'endAngle'],
  project: [],
  quantile: ['prob', 'value'],
  regression: ['coef', 'rSquared'],
  sample: [],
  sequence: ['data'],
  stack: ['y0', 'y1'],
  timeunit: ['unit0', 'unit1'],
  window: ['count'],
};

/**
 * Returns the fields that a Vega specification reads from the rows of its report although no column or transform
 * provides them. Fields of inline data, and fields that only the rows determine (`pivot`), are not checked.
 * @param columns Columns of the report's query.
 */
export function unknownFields(vega: JsonObject, columns: readonly string[]): string[] {
  const check = new FieldCheck(openDataset(vega), new Set(columns));
  check.group(vega, new Map());
  return [...check.unknown];
}

class FieldCheck {
  readonly unknown = new Set<string>();

  constructor(
    private readonly dataName: string | null,
    private readonly columns: ReadonlySet<string>,
  ) {}

  /** Checks a specification or a group mark: its data, scales and marks. */
  group(node: JsonObject, outer: Scope): void {
    const scope = new Map(outer);
    for (const data of objects(node.data)) scope.set(String(data.name), this.#dataset(data, scope));
    for (const { domain, range } of objects(node.scales)) {
      this.#scaleData(domain, scope);
      this.#scaleData(range, scope);
    }
    for (const mark of objects(node.marks)) this.#mark(mark, scope);
  }

  #dataset(data: JsonObject, scope: Scope): Fields {
    let fields = this.#source(data, scope);
    for (const transform of objects(data.transform)) {
      this.#reads(transform, fields);
      const from = typeof transform.from === 'string' ? scope.get(transform.from) : undefined;
      if (from) this.#readAll([transform.key, transform.values], from);
      fields = withOutputs(fields, transform, from);
    }
    return fields;
  }

  #source({ name, source }: JsonObject, scope: Scope): Fields {
    if (source !== undefined) return union([source].flat().map(each => scope.get(String(each)) ?? open));
    if (name === this.dataName) return { names: this.columns, isOpen: false, isQuery: true };
    return open;
  }

  #reads(transform: JsonObject, fields: Fields): void {
    for (const key of readKeys) if (!(key === 'key' && 'from' in transform)) this.#readAll(transform[key], fields);
    if (transform.type === 'pivot') this.#readAll(transform.value, fields);
    this.#expression(transform.expr, fields);
  }

  /** Reads a field, a list of fields, or an object whose `field` is one of these. */
  #readAll(value: unknown, fields: Fields): void {
    if (typeof value === 'string') this.#read(pathOf(value), fields);
    else if (Array.isArray(value)) for (const item of value) this.#readAll(item, fields);
    else if (isObject(value)) this.#readAll(value.field, fields);
  }

  #scaleData(value: unknown, scope: Scope, data?: unknown): void {
    if (!isObject(value)) return;
    const name = value.data ?? data;
    const fields = scope.get(String(name));
    if (fields) this.#readAll(value.sort, fields);
    for (const field of [value.field, value.fields].flat()) {
      if (isObject(field) && !('signal' in field)) this.#scaleData(field, scope, name);
      else if (fields && typeof field === 'string') this.#read(pathOf(field), fields);
    }
  }

  #mark(mark: JsonObject, scope: Scope): void {
    const from = isObject(mark.from) ? mark.from : {};
    const facet = isObject(from.facet) ? from.facet : null;
    const source = scope.get(String(facet?.data ?? from.data));
    const inner = new Map(scope);
    if (facet && source) {
      this.#readAll(facet.groupby, source);
      const aggregate = isObject(facet.aggregate) ? facet.aggregate : {};
      this.#reads(aggregate, source);
      inner.set(String(facet.name), facet.field === undefined ? source : open);
    }
    // Only items of marks with a data source that is not a facet have a row.
    if (source && !facet) this.#encoding(mark.encode, source);
    if (mark.type === 'group') this.group(mark, inner);
  }

  #encoding(value: unknown, fields: Fields, key = ''): void {
    if (Array.isArray(value)) for (const item of value) this.#encoding(item, fields, key);
    else if (isObject(value)) for (const [name, child] of Object.entries(value)) this.#encoding(child, fields, name);
    else if (key === 'field' || key === 'datum') this.#readAll(value, fields);
    else if (key === 'signal' || key === 'test') this.#expression(value, fields);
  }

  #expression(text: unknown, fields: Fields): void {
    if (typeof text !== 'string') return;
    for (const path of expressionPaths(text)) this.#read(path, fields);
  }

  #read(path: FieldPath, { names, isOpen, isQuery }: Fields): void {
    if (isOpen || !isQuery || path.length === 0) return;
    const isKnown = path.some((_, index) => names.has(path.slice(0, index + 1).join('.')));
    if (!isKnown) this.unknown.add(path.join('.'));
  }
}

function union(all: readonly Fields[]): Fields {
  return {
    names: new Set(all.flatMap(({ names }) => [...names])),
    isOpen: all.some(({ isOpen }) => isOpen),
    isQuery: all.some(({ isQuery }) => isQuery),
  };
}

/**
 * Returns the fields after a transform. Earlier fields are retained even if the transform drops them, because they are
 * valid columns.
 */
function withOutputs(fields: Fields, transform: JsonObject, from: Fields | undefined): Fields {
  const { type, as, ops, fields: read, values } = transform;
  const added = typeof type === 'string' && Object.hasOwn(outputs, type) ? outputs[type] : undefined;
  const named = [as, values].flat().filter(name => typeof name === 'string');
  const list = Array.isArray(read) ? read : [];
  const combined = Array.isArray(ops)
    ? ops.flatMap((op, index) => [String(op), `${String(op)}_${pathOf(String(list[index] ?? '')).join('.')}`])
    : [];
  const names = [...(added ?? []), ...named.map(name => name.replaceAll('\\', '')), ...combined];
  return {
    names: new Set([...fields.names, ...(from?.names ?? []), ...names]),
    isOpen: fields.isOpen || added === undefined || (from?.isOpen ?? false),
    isQuery: fields.isQuery,
  };
}
