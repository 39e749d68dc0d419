import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import * as contract from '../../contract/roles.js';
import { builtInRoles, type Policy } from '../../contract/roles.js';
import { DatabaseCode, databaseCode } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { checkEnforced, checkPolicy, type UncheckedPolicy } from './policies.js';
import * as store from './role-store.js';

/** Mounts the routes for roles, their policies and assignments (operations.md, Roles). */
export function mountRoles(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.getRoles, deps, async ({ query }) => {
    const { items, pageInfo, total } = await store.listRoles(db, query.search, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createRole, deps, async ({ body }, tx, target) => {
    const policies = readPolicies(body.policies, []);
    rejectBuiltInName(body.name);
    const role = await store.insertRole(tx, { name: body.name, description: body.description ?? null, policies });
    if (!role) throw nameTaken();
    target.roleId = role.id;
    return show(role);
  });

  serve(app, contract.getRole, deps, async ({ params }) => {
    const role = await store.findRole(db, params.roleId);
    if (!role) throw notFound('Role');
    return show(role);
  });

  write(app, contract.updateRole, deps, async ({ params, body }, tx) => {
    const role = await store.lockRole(tx, params.roleId);
    if (!role) throw notFound('Role');
    rejectBuiltIn(role);
    const name = body.name ?? role.name;
    rejectBuiltInName(name);
    const policies = body.policies == null ? role.policies : readPolicies(body.policies, role.policies);
    const content = { name, description: body.description ?? role.description, policies };
    try {
      return show((await store.updateRole(tx, role.id, content)) ?? role);
    } catch (error) {
      throw databaseCode(error) === DatabaseCode.uniqueViolation ? nameTaken() : error;
    }
  });

  write(app, contract.deleteRole, deps, async ({ params }, tx) => {
    const role = await store.lockRole(tx, params.roleId);
    if (!role) throw notFound('Role');
    rejectBuiltIn(role);
    await store.deleteRole(tx, role.id);
    return undefined;
  });

  write(app, contract.assignRoleToUser, deps, async ({ params }, tx) => {
    const role = await store.lockRole(tx, params.roleId);
    if (!role || (role.isBuiltIn && role.name === 'Admin')) throw notFound('Role');
    if (!(await store.lockInternalUser(tx, params.userId))) throw notFound('User');
    await store.assignRole(tx, role.id, params.userId);
    return undefined;
  });

  write(app, contract.removeRoleFromUser, deps, async ({ params }, tx) => {
    if (!(await store.lockInternalUser(tx, params.userId))) throw notFound('User');
    await store.unassignRole(tx, params.roleId, params.userId);
    return undefined;
  });
}

function show({ id, name, description, policies }: store.StoredRole): contract.Role {
  return { id, name, description, policies: [...policies] };
}

/** Validates the policies of a role. @param stored - policies that are accepted even if they have no effect. */
function readPolicies(written: readonly UncheckedPolicy[], stored: readonly Policy[]): Policy[] {
  return written.map((policy, index) => {
    const isStored = stored.some(each => isDeepStrictEqual(essence(each), essence(policy)));
    const problem = checkPolicy(policy) ?? (isStored ? null : checkEnforced(policy));
    if (problem) throw new PlatformError(400, `body.policies.${index}.${problem.field}: ${problem.message}`);
    const { actions, effect, resourceType, resources } = policy;
    return { resourceType, actions: [...actions], resources: [...resources], ...(effect != null && { effect }) };
  });
}

/** Returns a key that is the same for equivalent policies, regardless of how they are written. */
function essence({ resourceType, actions, resources, effect }: UncheckedPolicy | Policy) {
  return [resourceType, [...actions].sort(), [...resources].sort(), effect ?? 'allow'];
}

/** Role names from earlier versions of the specification, which administrators would mistake for built-in roles. */
const reservedNames = ['Developer', 'D3User', 'Guest', 'EmbedUser'];

/** Rejects names of built-in roles, because a custom role would be mistaken for the built-in one. */
function rejectBuiltInName(name: string): void {
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
  if (builtInRoles.some(isSame)) {
    throw new PlatformError(
      400,
      `body.name: is the name of a built-in role (${builtInRoles.join(', ')}); choose another name`,
    );
  }
  if (reservedNames.some(isSame)) {
    throw new PlatformError(400, `body.name: is a reserved name (${reservedNames.join(', ')}); choose another name`);
  }
}

function rejectBuiltIn({ isBuiltIn }: store.StoredRole): void {
  if (isBuiltIn) throw new PlatformError(400, 'path.roleId: a built-in role cannot be changed; create another role');
}

function nameTaken(): PlatformError {
  return new PlatformError(409, 'Another role has this name. Choose another name.');
}
