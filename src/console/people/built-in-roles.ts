import type { BuiltInRole } from '../../contract/roles.js';

/** Whether a name is that of a built-in role. The type makes the compiler check that none is missing. */
const known: Readonly<Record<BuiltInRole, true>> = {
  AIBIViewer: true,
  AIBIUser: true,
  AIBIDeveloper: true,
  Admin: true,
};

/** Names of the built-in roles, lowest first. */
export const builtInRoles: readonly string[] = Object.keys(known);

/** True for the name of a built-in role. */
export function isBuiltInRole(name: string): name is BuiltInRole {
  return Object.hasOwn(known, name);
}
