/** The key that a cube is given where it declares none. */
export const missingKeyName = 'missing_primary_key';

/** Words of the language in which the SQL compiler reads what stands in braces. */
const unspeakable: ReadonlySet<string> = new Set(
  [
    'False None True and as assert async await break class continue def del elif else except finally for from global',
    'if import in is lambda nonlocal not or pass raise return try while with yield',
  ].flatMap(line => line.split(' ')),
);

/** Names that the SQL compiler takes for something of its own wherever they stand. */
const reserved: ReadonlySet<string> = new Set([
  ...['CUBE', 'prototype', missingKeyName, 'extends', 'sql', 'f'],
  ...['__cubeName', 'cubeName', 'cubeObj', '_objectWithResolvedProperties'],
]);

/** Names that it takes for something of its own where they stand for a cube. */
const reservedForCubes: ReadonlySet<string> = new Set(
  [
    'abstract arguments boolean byte case catch char const debugger default delete do double enum eval export false',
    'final float function goto implements instanceof int interface let long native new null package private protected',
    'public short static super switch synchronized this throw throws transient true typeof undefined var void volatile',
    'COMPILE_CONTEXT FILTER_GROUP FILTER_PARAMS SECURITY_CONTEXT SQL_UTILS USER_CONTEXT',
    'groups securityContext security_context userAttributes user_attributes',
  ].flatMap(line => line.split(' ')),
);

/** True for names that can't be used in a model: `CUBE`, and whatever every JavaScript object has, since the SQL compiler keeps plain ones. */
export function isReserved(name: string): boolean {
  return reserved.has(name) || name in {};
}

/** True for names that no cube can have. */
export function isReservedForCubes(name: string): boolean {
  return isReserved(name) || isUnspeakable(name) || reservedForCubes.has(name);
}

/** True for names that can be used, but not in braces. */
export function isUnspeakable(name: string): boolean {
  return unspeakable.has(name);
}
