import type { Column } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Direction } from '../../report/format/locale.js';
import { isObject, objects, walk } from './spec.js';

const discrete = new Set(['band', 'point', 'ordinal']);
const sides: ReadonlyMap<unknown, string> = new Map([
  ['left', 'right'],
  ['right', 'left'],
  ['start', 'end'],
  ['end', 'start'],
  ['top-left', 'top-right'],
  ['top-right', 'top-left'],
  ['bottom-left', 'bottom-right'],
  ['bottom-right', 'bottom-left'],
]);
const corners = [
  ['cornerRadiusTopLeft', 'cornerRadiusTopRight'],
  ['cornerRadiusBottomLeft', 'cornerRadiusBottomRight'],
] as const;
/** Matches expressions that pan a scale; they compute the direction of a drag from the unreversed scale. */
const pans = /\bpan(?:Linear|Log|Pow|Symlog)\(/;
/** Space between a legend label and its symbol, px: Vega's default. */
const labelOffset = 4;

/**
 * Mirrors a compiled specification in place, for readers of a right-to-left language. Legends and the title always
 * change sides. The plot is mirrored if its x axis shows categories, or numbers with a y axis of categories. Scatter
 * plots keep their direction, and so do time axes unless `time` is `rtl`. Facets, concatenations and repeats are never
 * mirrored, because Vega places cells from left to right only.
 * @returns True if the plot is mirrored.
 */
export function mirrorSpec(spec: JsonObject, columns: readonly Column[], time: Direction): boolean {
  walk(spec, (node, key) => {
    if (key === 'legends') mirrorLegend(node, spec);
  });
  if (isObject(spec.title)) swapSides(spec.title, ['anchor', 'align']);
  const scales = mirroredScales(spec, columns, time);
  if (scales.length === 0) return false;
  for (const scale of scales) {
    scale.reverse = isObject(scale.reverse) ? { signal: `!(${scale.reverse.signal})` } : scale.reverse !== true;
  }
  walk(spec, (node, key) => {
    if (key === 'axes') mirrorAxis(node);
    if (key === 'marks') mirrorMark(node);
  });
  return true;
}

/** Returns the horizontal scales to reverse; empty if the plot keeps its direction. */
function mirroredScales(spec: JsonObject, columns: readonly Column[], time: Direction): JsonObject[] {
  if ('layout' in spec || pans.test(JSON.stringify(spec.signals ?? []))) return [];
  const [across, down] = [scalesOf(spec, ['x', 'x2', 'xc']), scalesOf(spec, ['y', 'y2', 'yc'])];
  const hasCategories = down.some(({ type }) => discrete.has(String(type)));
  const isTime = timeTest(spec, columns);
  const keepsDirection = across.some(scale =>
    isTime(scale) ? time === 'ltr' : !discrete.has(String(scale.type)) && !hasCategories,
  );
  return keepsDirection ? [] : across;
}

/** Returns the scales that position marks through any of these channels. */
function scalesOf(spec: JsonObject, channels: readonly string[]): JsonObject[] {
  const names = new Set<unknown>();
  const add = (channel: unknown): void => {
    for (const { scale, offset } of entriesOf(channel)) {
      names.add(scale);
      add(offset);
    }
  };
  walk(spec, ({ encode }, key) => {
    if (key !== 'marks' || !isObject(encode)) return;
    for (const set of objects(Object.values(encode))) for (const channel of channels) add(set[channel]);
  });
  return objects(spec.scales).filter(({ name }) => names.has(name));
}

/** Returns a predicate for scales of time: continuous time scales, and categories that are periods. */
function timeTest(spec: JsonObject, columns: readonly Column[]): (scale: JsonObject) => boolean {
  const times = new Set(columns.filter(({ annotation }) => annotation.type === 'time').map(({ member }) => member));
  walk(spec, (node, key) => {
    if (key !== 'transform' || node.type !== 'timeunit' || !Array.isArray(node.as)) return;
    for (const name of node.as) times.add(String(name).replaceAll('\\.', '.'));
  });
  return ({ type, domain }) => {
    if (type === 'time' || type === 'utc') return true;
    let found = false;
    walk(domain, ({ field, fields }) => {
      const named = [field, ...(Array.isArray(fields) ? fields : [])];
      found ||= named.some(name => typeof name === 'string' && times.has(name.replaceAll('\\.', '.')));
    });
    return found;
  };
}

/** True for a legend with symbols; false for a gradient. */
function hasSymbols({ type, fill, stroke }: JsonObject, spec: JsonObject): boolean {
  const color = objects(spec.scales).find(({ name }) => name === (fill ?? stroke));
  return type === 'symbol' || (type !== 'gradient' && (color === undefined || color.type === 'ordinal'));
}

function mirrorLegend(legend: JsonObject, spec: JsonObject): void {
  swapSides(legend, ['orient', 'titleAlign', 'titleAnchor']);
  if (!hasSymbols(legend, spec)) return;
  const encode = isObject(legend.encode) ? legend.encode : {};
  const labels = isObject(encode.labels) ? encode.labels : {};
  const update = isObject(labels.update) ? labels.update : {};
  const mirrored = { x: { value: -labelOffset }, align: { value: 'right' } };
  legend.encode = { ...encode, labels: { ...labels, update: { ...mirrored, ...update } } };
}

function mirrorAxis(axis: JsonObject): void {
  const isVertical = axis.orient === 'left' || axis.orient === 'right';
  swapSides(axis, ['labelAlign', 'titleAlign', ...(isVertical ? ['orient'] : ['titleAnchor'])]);
  negate(axis, ['labelAngle', 'titleAngle', ...(isVertical ? ['titleX'] : ['labelOffset', 'tickOffset'])]);
  for (const part of objects(Object.values(isObject(axis.encode) ? axis.encode : {}))) {
    for (const set of objects(Object.values(part))) mirrorText(set);
  }
}

function mirrorMark(mark: JsonObject): void {
  const encode = isObject(mark.encode) ? mark.encode : {};
  const sets = objects(Object.values(encode));
  for (const set of sets) {
    for (const [left, right] of corners) {
      const { [left]: first, [right]: second, ...others } = set;
      for (const name of [left, right]) delete set[name];
      Object.assign(set, others, first !== undefined && { [right]: first }, second !== undefined && { [left]: second });
    }
    for (const name of ['x', 'x2', 'xc']) {
      for (const place of entriesOf(set[name])) mirrorPlace(place, { hasWidth: 'width' in set });
    }
    if (mark.type === 'text') mirrorText(set);
  }
  // Vega aligns text to the left by default.
  if (mark.type !== 'text' || sets.some(({ align }) => align !== undefined)) return;
  mark.encode = { ...encode, enter: { ...(isObject(encode.enter) && encode.enter), align: { value: 'right' } } };
}

/** Mirrors a position that is not a scaled value, or the offset of a position that is a scaled value. */
function mirrorPlace(place: JsonObject, { hasWidth }: { readonly hasWidth: boolean }): void {
  const { value, field, offset, scale } = place;
  if (isObject(offset) && 'scale' in offset) mirrorPlace(offset, { hasWidth });
  // If the mark has a width, a computed offset centers it in its band.
  else if (typeof offset === 'number' || !hasWidth) negate(place, ['offset']);
  if (scale !== undefined || hasWidth || 'mult' in place) return;
  if (typeof value === 'number') {
    delete place.value;
    Object.assign(place, { field: { group: 'width' }, ...(value !== 0 && { offset: -value }) });
  } else if (isObject(field) && field.group === 'width') {
    delete place.field;
    place.value = 0;
  }
}

function mirrorText(set: JsonObject): void {
  for (const align of entriesOf(set.align)) swapSides(align, ['value']);
  for (const dx of entriesOf(set.dx)) negate(dx, ['value', 'signal']);
}

function swapSides(node: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const other = sides.get(node[name]);
    if (other !== undefined) node[name] = other;
  }
}

function negate(node: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const value = node[name];
    if (typeof value === 'number') node[name] = -value;
    else if (typeof value === 'string') node[name] = `-(${value})`;
    else if (isObject(value)) negate(value, ['value', 'signal']);
  }
}

/** Returns the entries of a channel: one, or several with conditions. */
function entriesOf(channel: unknown): JsonObject[] {
  return isObject(channel) ? [channel] : objects(channel);
}
