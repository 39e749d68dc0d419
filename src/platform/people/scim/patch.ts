import { isDeepStrictEqual } from 'node:util';
import { ScimUrn } from '../../../contract/scim.js';
import { type Attribute, type Attributes, findAttribute, isObject, readValue } from './attributes.js';
import { type Condition, matches, maxPathOperators, parseFilter } from './filter.js';
import { invalid, invalidPath } from './scim-error.js';

/** A change as sent by a directory (RFC 7644, section 3.5.2). */
export interface PatchInput {
  readonly op: string;
  readonly path?: string | null | undefined;
  readonly value?: unknown;
}

/** A change to one attribute. */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

/**
 * Reads changes. The case of `op` is ignored. A change without a path becomes one change per attribute of its value.
 * `remove` requires a path. Setting an attribute to `null` removes it.
 * @throws PlatformError 400 `invalidValue` or `invalidPath`
 */
export function readChanges(operations: readonly PatchInput[]): Change[] {
  return operations.flatMap(({ op, path, value }) => {
    const name = op.toLowerCase();
    if (name !== 'add' && name !== 'remove' && name !== 'replace') {
      throw invalid(`Operations: ${JSON.stringify(op.slice(0, 20))} is not an operation; use add, remove or replace`);
    }
    if (path != null && path !== '') return [{ op: value === null ? 'remove' : name, path, value }];
    if (name === 'remove' || !isObject(value))
      throw invalidPath('Operations: a change without a path requires an object');
    return Object.entries(value).map(
      ([key, each]): Change => ({ op: each === null ? 'remove' : name, path: key, value: each }),
    );
  });
}

/** The parsed path of a change: `emails[type eq "work"].value`, with an optional URN before the attribute. */
export interface Path {
  /** URN of an extension, in lower case; `null` for the core schema. */
  readonly extension: string | null;
  /** Name of the attribute; empty for the whole extension. */
  readonly attribute: string;
  readonly filter: readonly Condition[] | null;
  /** Name of the sub-attribute; `null` for the whole attribute. */
  readonly sub: string | null;
}

const pathPattern = /^([\w$-]+)(?:\[(.+)\])?(?:\.([\w$-]+))?$/s;
const urnPattern = /^(urn:[\w.:-]+:2\.0:\w+)(?::(.*))?$/is;

/** Parses the path of a change. @throws PlatformError 400 `invalidPath` or `invalidFilter` */
export function readPath(text: string): Path {
  const [, urn = null, inside = ''] = urnPattern.exec(text) ?? [];
  const isCore = urn === null || /:core:2\.0:/i.test(urn);
  const extension = isCore ? null : urn.toLowerCase();
  const local = urn === null ? text : inside;
  if (local === '' && extension !== null) return { extension, attribute: '', filter: null, sub: null };
  const [, attribute, filter, sub = null] = pathPattern.exec(local) ?? [];
  if (attribute === undefined) throw invalidPath(`Operations: invalid path ${JSON.stringify(text.slice(0, 200))}`);
  return { extension, attribute, filter: filter === undefined ? null : parseFilter(filter, maxPathOperators), sub };
}

/**
 * Applies changes to the attributes of a resource. Changes to unknown and read-only attributes are ignored, as in a
 * complete resource. If no value matches a filter, a value that matches it is created.
 * @returns the changed attributes; `attributes` is not modified.
 */
export function applyChanges(
  resource: Attributes,
  changes: readonly Change[],
  schema: readonly Attribute[],
): Attributes {
  const changed = structuredClone(resource);
  for (const change of changes) {
    const path = readPath(change.path);
    if (path.extension === null) applyChange(changed, change, path, schema);
    else if (path.extension === ScimUrn.enterpriseUser.toLowerCase()) applyToExtension(changed, change, path, schema);
  }
  return changed;
}

function applyToExtension(resource: Attributes, change: Change, path: Path, schema: readonly Attribute[]): void {
  const extension = findAttribute(schema, ScimUrn.enterpriseUser);
  if (!extension) return;
  if (path.attribute === '') {
    setValue(resource, extension, change);
    return;
  }
  const own = resource[extension.name];
  const inside: Attributes = isObject(own) ? own : {};
  applyChange(inside, change, path, extension.sub);
  resource[extension.name] = inside;
}

function applyChange(
  resource: Attributes,
  change: Change,
  { attribute: name, filter, sub }: Path,
  schema: readonly Attribute[],
): void {
  const attribute = findAttribute(schema, name);
  if (!attribute) return;
  const subAttribute = sub === null ? null : findAttribute(attribute.sub, sub);
  if (subAttribute === undefined) return;
  if (attribute.isMultiValued && (filter || subAttribute)) {
    resource[attribute.name] = changedItems(itemsOf(resource[attribute.name]), change, {
      attribute,
      filter,
      subAttribute,
    });
  } else if (subAttribute) {
    const own = resource[attribute.name];
    const inside: Attributes = isObject(own) ? own : {};
    setValue(inside, subAttribute, change);
    resource[attribute.name] = inside;
  } else setValue(resource, attribute, change);
}

function setValue(target: Attributes, attribute: Attribute, { op, value }: Change): void {
  const { name } = attribute;
  const where = `Operations: ${name}`;
  const read = op === 'remove' ? undefined : readValue(value, attribute, where);
  if (op === 'remove' && attribute.isMultiValued && value !== undefined) {
    const gone = itemsOf(readValue(value, attribute, where));
    target[name] = itemsOf(target[name]).filter(item => !gone.some(each => isSame(item, each)));
  } else if (read === undefined) delete target[name];
  else if (attribute.isMultiValued && op === 'add') target[name] = added(itemsOf(target[name]), itemsOf(read));
  else if (isObject(read) && isObject(target[name])) target[name] = { ...target[name], ...read };
  else target[name] = read;
}

interface ItemPath {
  readonly attribute: Attribute;
  readonly filter: readonly Condition[] | null;
  readonly subAttribute: Attribute | null;
}

/** Changes the items that a filter selects; without a filter, all items. */
function changedItems(items: readonly Attributes[], change: Change, path: ItemPath): readonly Attributes[] {
  const { attribute, filter, subAttribute } = path;
  const isChosen = (item: Attributes) => filter === null || matches(item, filter);
  if (change.op === 'remove' && !subAttribute) return items.filter(item => !isChosen(item));
  const edit = (item: Attributes): Attributes => {
    const edited = { ...item };
    if (subAttribute) setValue(edited, subAttribute, change);
    else Object.assign(edited, itemsOf(readValue(change.value, attribute, `Operations: ${attribute.name}`))[0]);
    return edited;
  };
  if (items.some(isChosen))
    return onePrimary(
      items.map(item => (isChosen(item) ? edit(item) : item)),
      items,
    );
  return change.op === 'remove' ? items : onePrimary([...items, edit(requiredBy(filter ?? [], attribute))], items);
}

/** Returns the values that an equality filter requires: `{type: 'work'}` for `type eq "work"`. */
function requiredBy([condition]: readonly Condition[], attribute: Attribute): Attributes {
  const required: Attributes = {};
  for (const [path, comparisons] of condition ?? []) {
    const sub = findAttribute(attribute.sub, path);
    const equal = comparisons.find(({ operator, isNegated }) => operator === 'eq' && !isNegated);
    if (sub && equal) required[sub.name] = readValue(equal.value, sub, `Operations: ${attribute.name}`);
  }
  return required;
}

/** Adds items. An item replaces an existing item with the same value. */
function added(items: readonly Attributes[], more: readonly Attributes[]): readonly Attributes[] {
  const kept = items.filter(item => !more.some(each => isSame(item, each)));
  return onePrimary([...kept, ...more], items);
}

/** Makes at most one item primary (RFC 7643, section 2.4). A new primary item replaces the previous one. */
function onePrimary(items: readonly Attributes[], before: readonly Attributes[]): readonly Attributes[] {
  const primary = items.filter(item => item.primary === true);
  if (primary.length < 2) return items;
  const chosen = primary.find(item => !before.includes(item)) ?? primary[0];
  return items.map(item => (item.primary === true && item !== chosen ? { ...item, primary: false } : item));
}

function isSame(left: Attributes, right: Attributes): boolean {
  if (left.value === undefined || right.value === undefined) return isDeepStrictEqual(left, right);
  return left.value === right.value && (left.type === right.type || right.type === undefined);
}

function itemsOf(value: unknown): readonly Attributes[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
