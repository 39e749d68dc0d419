import * as users from '../../contract/users.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the users of the account by username, one page at a time. Requires an API key with the admin role. */
export const listUsers: Endpoint<typeof users.listUsers> = /* @__PURE__ */ endpoint(users.listUsers);

/** Returns a user. Requires an API key with the admin role. */
export const getUser: Endpoint<typeof users.getUser, 'id'> = /* @__PURE__ */ endpoint(users.getUser, 'id');

/** Returns the caller's own user. */
export const getMe: Endpoint<typeof users.getMe> = /* @__PURE__ */ endpoint(users.getMe);

/** Creates a user. Requires an API key with the admin role. */
export const createUser: Endpoint<typeof users.createUser> = /* @__PURE__ */ endpoint(users.createUser);

/** Updates a user. `isDeactivated: true` ends all access of the user. Requires an API key with the admin role. */
export const updateUser: Endpoint<typeof users.updateUser, 'id'> = /* @__PURE__ */ endpoint(users.updateUser, 'id');

/** Deletes a user and transfers the user's content to another user. Requires an API key with the admin role. */
export const deleteUser: Endpoint<typeof users.deleteUser, 'id'> = /* @__PURE__ */ endpoint(users.deleteUser, 'id');

/** Deactivates, activates or deletes up to 100 users. Requires an API key with the admin role. */
export const bulkUserAction: Endpoint<typeof users.bulkUserAction> = /* @__PURE__ */ endpoint(users.bulkUserAction);

/** Updates the caller's own settings. Omitted settings stay unchanged; `null` clears a setting. */
export const updateMySettings: Endpoint<typeof users.updateMySettings> = /* @__PURE__ */ endpoint(
  users.updateMySettings,
);
