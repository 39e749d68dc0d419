import type { Hono } from 'hono';
import {
  createUserAttribute,
  getUserAttributes,
  getUserAttributeValues,
  type UserAttributeValueRecord,
  updateUserAttribute,
  upsertUserAttributeValue,
} from '../../contract/user-attributes.js';
import { userExists } from '../auth/user-store.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { Call } from '../http/mount.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import * as attributes from './user-attribute-store.js';

/**
 * Mounts the routes for user attributes and their values (spec 2.8). Changes apply to sessions that are minted
 * afterwards.
 */
export function mountUserAttributes(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getUserAttributes, deps, async ({ query }) => {
    const { name, type } = query;
    const page = await attributes.listAttributes(db, { name, type }, pageOf(query));
    return { ...page, data: page.items };
  });

  write(app, createUserAttribute, deps, async ({ body }, tx, target) => {
    const { name, type, defaultValue, description, displayName } = body;
    checkDefault(type, defaultValue);
    const texts = {
      defaultValue: defaultValue || null,
      description: description || null,
      displayName: displayName || null,
    };
    const created = await attributes.createAttribute(tx, { name, type, ...texts });
    if (!created) throw new PlatformError(409, 'body.name: another user attribute has this name');
    target.id = created.id;
    return created;
  });

  write(app, updateUserAttribute, deps, async ({ params, body }, tx) => {
    const attribute = await attributes.lockAttribute(tx, params.id);
    if (!attribute) throw notFound('User attribute');
    checkDefault(attribute.type, body.defaultValue);
    return attributes.describeAttribute(tx, attribute, body);
  });

  mountValues(app, deps);
}

function mountValues(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  write(app, upsertUserAttributeValue, deps, async ({ body }, tx, target) => {
    const { userId, userAttributeId, value = null } = body;
    const attribute = await attributes.findAttribute(tx, userAttributeId);
    if (!attribute) throw notFound('User attribute');
    if (!(await userExists(tx, userId))) throw notFound('User');
    if (value !== null && !attributes.fitsType(attribute.type, value)) {
      throw new PlatformError(400, `body.value: must be of type ${attribute.type}`);
    }
    target.userId = userId;
    target.userAttributeId = userAttributeId;
    await attributes.setAttributeValue(tx, userId, attribute.id, value);
    return showValue({ ...attribute, userId, value });
  });

  serve(app, getUserAttributeValues, deps, async ({ params: { userId } }) => {
    if (!(await userExists(db, userId))) throw notFound('User');
    return (await attributes.listValues(db, userId)).map(showValue);
  });
}

/** Reads the pagination parameters: a cursor, or the deprecated offset and limit. */
function pageOf(query: Call<typeof getUserAttributes>['query']): attributes.AttributePage {
  const { first, after, offset, limit } = query;
  const isByOffset = offset !== undefined || limit !== undefined;
  if (isByOffset && (first !== undefined || after !== undefined)) {
    throw new PlatformError(400, 'query.offset: send either offset and limit or first and after');
  }
  return isByOffset ? { offset: offset ?? 0, first: limit } : { first, after };
}

function checkDefault(type: attributes.StoredAttribute['type'], text: string | null | undefined): void {
  if (text && attributes.readDefault(type, text) === null) {
    throw new PlatformError(400, `body.defaultValue: must be a value of type ${type} as JSON text`);
  }
}

function showValue({
  id,
  userId,
  name,
  type,
  displayName,
  description,
  value,
}: attributes.StoredValue): UserAttributeValueRecord {
  const formattedValue = value === null ? null : [value].flat().join(', ');
  return { userAttributeId: id, userId, name, type, displayName, description, value, formattedValue };
}
