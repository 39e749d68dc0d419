/** Name of the key of cubes that do not declare a key. */
export const missingKeyName = 'missing_primary_key';

/** Keywords of the language in which the SQL compiler reads expressions in braces. */
const templateKeywords: ReadonlySet<string> = new Set(
  [
    'False None True and as assert async await break class continue def del elif else except finally for from global',
    'if import in is lambda nonlocal not or pass raise return try while with yield',
  ].flatMap(line => line.split(' ')),
);

/** Names with a special meaning in the SQL compiler. */
const reserved: ReadonlySet<string> = new Set([
  ...['CUBE', 'prototype', missingKeyName, 'extends', 'sql', 'f'],
  ...['__cubeName', 'cubeName', 'cubeObj', '_objectWithResolvedProperties'],
]);

/** Names with a special meaning in the SQL compiler as cube names. */
const reservedForCubes: ReadonlySet<string> = new Set(
  [
    'abstract arguments boolean byte case catch char const debugger default delete do double enum eval export false',
    'final float function goto implements instanceof int interface let long native new null package private protected',
    'public short static super switch synchronized this throw throws transient true typeof undefined var void volatile',
    'COMPILE_CONTEXT FILTER_GROUP FILTER_PARAMS SECURITY_CONTEXT SQL_UTILS USER_CONTEXT',
    'groups securityContext security_context userAttributes user_attributes',
  ].flatMap(line => line.split(' ')),
);

/**
 * Whether a model cannot use this name, because it is special in the SQL compiler or is a property of every JavaScript
 * object.
 */
export function isReserved(name: string): boolean {
  return reserved.has(name) || name in {};
}

/** Whether no cube can have this name. */
export function isReservedForCubes(name: string): boolean {
  return isReserved(name) || isTemplateKeyword(name) || reservedForCubes.has(name);
}

/** Whether this name can't be used in braces. */
export function isTemplateKeyword(name: string): boolean {
  return templateKeywords.has(name);
}
