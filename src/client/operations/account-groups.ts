import * as groups from '../../contract/account-groups.js';
import type { ParamsOf } from '../../contract/operation.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Identifies a group of the account: `{id}`. */
export type AccountGroupRef = ParamsOf<typeof groups.getAccountGroup>;

/** Lists the groups of the account by name, one page at a time. Requires an API key with the admin role. */
export const listAccountGroups: Endpoint<typeof groups.listAccountGroups> = /* @__PURE__ */ endpoint(
  groups.listAccountGroups,
);

/** Creates a group of the account. Requires an API key with the admin role. */
export const createAccountGroup: Endpoint<typeof groups.createAccountGroup> = /* @__PURE__ */ endpoint(
  groups.createAccountGroup,
);

/** Returns a group of the account. Requires an API key with the admin role. */
export const getAccountGroup: Endpoint<typeof groups.getAccountGroup, 'id'> = /* @__PURE__ */ endpoint(
  groups.getAccountGroup,
  'id',
);

/** Updates a group. `roleId: null` removes its role. Requires an API key with the admin role. */
export const updateAccountGroup: Endpoint<typeof groups.updateAccountGroup, 'id'> = /* @__PURE__ */ endpoint(
  groups.updateAccountGroup,
  'id',
);

/** Deletes a group; its members stay users. Requires an API key with the admin role. */
export const deleteAccountGroup: Endpoint<typeof groups.deleteAccountGroup, 'id'> = /* @__PURE__ */ endpoint(
  groups.deleteAccountGroup,
  'id',
);

/** Lists the members of a group by username, one page at a time. Requires an API key with the admin role. */
export const listAccountGroupMembers: Endpoint<typeof groups.listAccountGroupMembers> = /* @__PURE__ */ endpoint(
  groups.listAccountGroupMembers,
);

/** Adds users to a group. Requires an API key with the admin role. */
export const addAccountGroupMembers: Endpoint<typeof groups.addAccountGroupMembers> = /* @__PURE__ */ endpoint(
  groups.addAccountGroupMembers,
);

/** Removes members from a group, effective with their next request. Requires an API key with the admin role. */
export const removeAccountGroupMembers: Endpoint<typeof groups.removeAccountGroupMembers> = /* @__PURE__ */ endpoint(
  groups.removeAccountGroupMembers,
);
