import type { Hono } from 'hono';
import type { OperationShape } from '../../../contract/operation.js';
import * as contract from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { ScimCaller } from '../../auth/authenticate-scim.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { AnswerWithHeaders, type Call, type Handler } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { isKnown } from './entity-tag.js';
import { listResponse } from './list-window.js';
import { type Projection, project } from './projection.js';

type Service = typeof import('./scim-service.js');

/** Lazy-loads the SCIM library with the first request. */
const load = (): Promise<Service> => import('./scim-service.js');

/** Mounts the Provisioning API: users and groups of the account for directories (SCIM 2.0; RFC 7643, RFC 7644). */
export function mountScim(app: Hono, deps: RouteDeps): void {
  const mounter = new ScimMounter(app, deps);
  mountDiscovery(mounter);
  mountScimUsers(mounter);
  mountScimGroups(mounter);
}

/** Mounts operations of the Provisioning API with its authentication. */
class ScimMounter {
  readonly db: Db;
  readonly baseUrl: string;
  readonly #app: Hono;
  readonly #deps: RouteDeps;

  constructor(app: Hono, deps: RouteDeps) {
    this.#app = app;
    this.#deps = deps;
    this.db = deps.db;
    this.baseUrl = `${deps.publicUrl}${contract.scimPath}`;
  }

  read<O extends OperationShape>(operation: O, handler: Handler<O, ScimCaller>): void {
    const options = { ...this.#deps, authenticate: this.#deps.authenticateScim };
    serve<O, ScimCaller>(this.#app, operation, options, handler);
  }

  /** Mounts an operation that writes. The handler and its audit log entry run in one transaction. */
  write<O extends OperationShape>(
    operation: O,
    handler: (call: Call<O, ScimCaller>, tx: Db, target: JsonObject) => Promise<Awaited<ReturnType<Handler<O>>>>,
  ): void {
    this.read(operation, async call => {
      const target: JsonObject = { ...Object(call.params) };
      const { principal, request } = call;
      try {
        return await transact(this.db, operation.id, { principal, request, target }, tx => handler(call, tx, target));
      } catch (error) {
        if (databaseCode(error) !== DatabaseCode.uniqueViolation) throw error;
        const { nameTaken, groupTaken } = await load();
        throw operation.path.includes('/Groups') ? groupTaken() : nameTaken();
      }
    });
  }
}

/** Creates the response for a resource, with its entity tag and, for a new resource, its URL. */
function answer<T extends contract.ScimUser | contract.ScimGroup>(
  resource: T,
  { attributes, excludedAttributes }: Projection = {},
): AnswerWithHeaders<T> {
  const { version, location } = resource.meta;
  const headers = { etag: version ?? '', location: location ?? '' };
  return new AnswerWithHeaders(project(resource, { attributes, excludedAttributes }), headers);
}

/** Creates the response to a matching `If-None-Match`. */
function unchanged<T>(): AnswerWithHeaders<T> {
  return new AnswerWithHeaders<T>(null, {});
}

function mountDiscovery(mounter: ScimMounter): void {
  const { baseUrl } = mounter;
  mounter.read(contract.getScimServiceProviderConfig, async () => (await load()).serviceProviderConfig(baseUrl));
  mounter.read(contract.listScimResourceTypes, async () => {
    const types = (await load()).resourceTypes(baseUrl);
    return listResponse(types, types.length);
  });
  mounter.read(contract.getScimResourceType, async ({ params }) =>
    documentWithId((await load()).resourceTypes(baseUrl), params.id),
  );
  mounter.read(contract.listScimSchemas, async () => {
    const schemas = (await load()).schemas(baseUrl);
    return listResponse(schemas, schemas.length);
  });
  mounter.read(contract.getScimSchema, async ({ params }) =>
    documentWithId((await load()).schemas(baseUrl), params.id),
  );
}

function documentWithId(documents: readonly JsonObject[], id: string): JsonObject {
  const found = documents.find(each => each.id === id);
  if (!found) throw new PlatformError(404, `${JSON.stringify(id.slice(0, 200))} not found`);
  return found;
}

function mountScimUsers(mounter: ScimMounter): void {
  const { db, baseUrl } = mounter;

  mounter.read(contract.listScimUsers, async ({ query }) => (await load()).listUsers(db, query, baseUrl));

  mounter.read(contract.getScimUser, async ({ params, query, request }) => {
    const { findUser, userResource } = await load();
    const user = await findUser(db, params.id);
    return isKnown(request, user.revision) ? unchanged() : answer(userResource(user, baseUrl), query);
  });

  mounter.write(contract.createScimUser, async ({ body }, tx, target) => {
    const { createUser, userResource } = await load();
    const user = await createUser(tx, body);
    target.id = user.id;
    return answer(userResource(user, baseUrl));
  });

  mounter.write(contract.replaceScimUser, async (call, tx) => {
    const { writeUser, userResource } = await load();
    return answer(userResource(await writeUser(tx, call.params.id, call, { body: call.body }), baseUrl));
  });

  mounter.write(contract.patchScimUser, async (call, tx) => {
    const { writeUser, userResource } = await load();
    const operations = call.body.Operations;
    return answer(userResource(await writeUser(tx, call.params.id, call, { operations }), baseUrl));
  });

  mounter.write(contract.deleteScimUser, async (call, tx) => {
    await (await load()).removeUser(tx, call.params.id, call);
    return undefined;
  });
}

function mountScimGroups(mounter: ScimMounter): void {
  const { db, baseUrl } = mounter;

  mounter.read(contract.listScimGroups, async ({ query }) => (await load()).listGroups(db, query, baseUrl));

  mounter.read(contract.getScimGroup, async ({ params, query, request }) => {
    const { findGroup, showGroup } = await load();
    const group = await findGroup(db, params.id);
    return isKnown(request, group.revision) ? unchanged() : answer(await showGroup(db, group, query, baseUrl), query);
  });

  mounter.write(contract.createScimGroup, async ({ body }, tx, target) => {
    const { createGroup, showGroup } = await load();
    const group = await createGroup(tx, body);
    target.id = group.id;
    return answer(await showGroup(tx, group, {}, baseUrl));
  });

  mounter.write(contract.replaceScimGroup, async ({ params, body, request }, tx) => {
    const { replaceGroup, showGroup } = await load();
    return answer(await showGroup(tx, await replaceGroup(tx, params.id, request, body), {}, baseUrl));
  });

  mounter.write(contract.patchScimGroup, async ({ params, query, body, request }, tx) => {
    const { patchGroup, showGroup } = await load();
    const group = await patchGroup(tx, params.id, request, body.Operations);
    return answer(await showGroup(tx, group, query, baseUrl), query);
  });

  mounter.write(contract.deleteScimGroup, async ({ params, request }, tx) => {
    await (await load()).removeGroup(tx, params.id, request);
    return undefined;
  });
}
