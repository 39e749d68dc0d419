import { Hono } from 'hono';
import { vi } from 'vitest';
import '../../../src/contract/messages.js';
import type { OperationShape } from '../../../src/contract/operation.js';
import type { BuiltInRole, Policy } from '../../../src/contract/roles.js';
import { createApp } from '../../../src/platform/app.js';
import { platformRoutes } from '../../../src/platform/platform-routes.js';
import { type Answer, startTestPlatform } from '../test-platform.js';
import { type Things, thingsOf } from './things.js';

/** The tenant that dashboards are shared with, and a tenant without shares. */
const tenants = { ours: 'acme', another: 'other' } as const;

/** Credentials that the Platform API rejects. */
export const strangers = ['nobody', 'malformed', 'expired', 'revoked', 'dataToken', 'chatToken'] as const;
/**
 * Authenticated callers. `reader`, `editor` and `manager` have the role AI BI User and a policy on all content, `owner`
 * created the requested item, `tenantOwner` created it in creator mode, `adminSession` is an admin's embed session, and
 * `adminPerson` an admin who signed in.
 */
export const callers = [
  'embed',
  'embedOther',
  'creator',
  'noRole',
  'viewer',
  'user',
  'developer',
  'reader',
  'editor',
  'manager',
  'owner',
  'tenantOwner',
  'admin',
  'adminSession',
  'adminPerson',
] as const;
/** An invalid credential. */
export type Stranger = (typeof strangers)[number];
/** An authenticated caller. */
export type Caller = (typeof callers)[number];
/** A caller with a valid or invalid credential. */
export type Who = Stranger | Caller;

/** Possible owners of an example's content. */
export type Owner = 'admin' | 'owner' | 'tenantOwner';

/** The input of a request. */
export interface Sent {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Fields of a `multipart/form-data` body. */
  readonly form?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const origin = 'https://platform.example';

const count = { name: 'flights.count', title: 'Flights', shortTitle: 'Flights', type: 'number' };
const carrier = { name: 'flights.carrier', title: 'Carrier', shortTitle: 'Carrier', type: 'string' };
/** The only cube of the model. */
const flights = {
  name: 'flights',
  title: 'Flights',
  type: 'cube',
  measures: [count],
  dimensions: [carrier],
  segments: [],
};

/** Starts the Platform API with its app and creates all callers. */
export async function startWorld() {
  const platform = await startTestPlatform();
  platform.publicModel.mockReturnValue({ cubes: [flights] });
  const failures: unknown[] = [];
  const app = createApp({
    publicUrl: new URL(origin),
    allowOrigins: [],
    dataApiPath: platform.deps.dataApiPath,
    authenticate: platform.deps.authenticate,
    platformRoutes: platformRoutes(platform.deps),
    dataRoutes: new Hono(),
    chatRoutes: new Hono(),
    onFailure: error => failures.push(error),
  });
  const credentials = await makeCredentials(platform);

  /** Sends a request unchanged. */
  async function fetch(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.request(`${origin}${path}`, init);
    const text = await response.text();
    const read = response.headers.has('content-disposition') ? String : JSON.parse;
    return { status: response.status, body: text === '' ? undefined : read(text) };
  }

  async function send(operation: OperationShape, sent: Sent, who: Who = 'admin'): Promise<Answer> {
    const credential = credentials[who];
    const authorization = endsOwnSessions(operation, who)
      ? bearer((await platform.signedIn('Admin')).token)
      : credential;
    const form = sent.form === undefined ? null : formOf(sent.form);
    const headers = {
      ...(form === null && { 'content-type': 'application/json' }),
      ...sent.headers,
      ...(authorization !== null && { authorization }),
    };
    const json = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
    const body = form === null ? json : { body: form };
    return fetch(pathOf(operation, sent), { method: operation.method, headers, ...body });
  }

  const things: Record<Owner, Things> = {
    admin: thingsOf(platform, bare(credentials.admin)),
    owner: thingsOf(platform, bare(credentials.owner)),
    tenantOwner: thingsOf(platform, bare(credentials.tenantOwner)),
  };
  await platform.ok('PUT', '/api/v1/app-config', { embedding: { enableDashboardComments: true } });

  return {
    platform,
    app,
    credentials,
    fetch,
    send,
    /** Failures of the platform. Requests must not cause any. */
    failures,
    /** Creates data for an example. Content belongs to the given owner. */
    things,
    stop: () => platform.stop(),
  };
}

/** The Platform API with its app and all callers. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Returns the path of a request with its query string. */
export function pathOf(operation: OperationShape, { params, query }: Sent): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(Object(params)[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(query))) {
    for (const each of [value].flat()) search.append(name, String(each));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Returns the body of a form. */
function formOf(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(Object(fields))) {
    form.append(name, value instanceof File ? value : String(value));
  }
  return form;
}

/** Whether the caller's credential may be invalid after a request. A separate user sends each such request. */
function endsOwnSessions({ id }: OperationShape, who: Who): boolean {
  return who === 'adminPerson' && ['endMySessions', 'changeMyPassword'].includes(id);
}

const bare = (credential: string) => credential.replace(/^Bearer /, '');
const bearer = (token: string) => `Bearer ${token}`;

type Platform = Awaited<ReturnType<typeof startTestPlatform>>;

const everyContent = (verb: 'Read' | 'Edit' | 'Manage'): Policy[] =>
  (['Workbook', 'Report', 'Folder'] as const).map(resourceType => ({
    resourceType,
    actions: [`${resourceType}${verb}`],
    resources: ['All'],
  }));

async function makeCredentials(platform: Platform) {
  const { ours: embedTenantName, another } = tenants;
  const creatorMode = { embedTenantName, creatorMode: true };
  const settings = { allowSubscriptions: true, allowSavedViews: true };
  const session = async (grant: object) => bearer(await platform.tokenOf(grant));
  const token = async (body: object) =>
    bearer((await platform.ok('POST', '/api/v1/deployments/1/token', body)).platformApiToken);
  async function key(name: string, role: BuiltInRole | null, policies: Policy[] = []): Promise<string> {
    await platform.addUserKey(`key-of-${name}`, role, policies);
    return bearer(`key-of-${name}`);
  }
  return {
    nobody: null,
    malformed: 'Basic YWRtaW46YWRtaW4=',
    expired: bearer(await expiredToken(platform)),
    revoked: bearer(await revokedToken(platform)),
    dataToken: await token({}),
    chatToken: await token({ scope: ['chat'] }),
    embed: await session({ externalId: 'ann', email: 'ann@acme.example', embedTenantName, settings }),
    embedOther: await session({ externalId: 'zoe', email: 'zoe@other.example', embedTenantName: another, settings }),
    creator: await session({ externalId: 'carl', ...creatorMode, settings }),
    noRole: await key('noRole', null),
    viewer: await key('viewer', 'AIBIViewer'),
    user: await key('user', 'AIBIUser'),
    developer: await key('developer', 'AIBIDeveloper'),
    reader: await key('reader', 'AIBIUser', everyContent('Read')),
    editor: await key('editor', 'AIBIUser', everyContent('Edit')),
    manager: await key('manager', 'AIBIUser', everyContent('Manage')),
    owner: await key('owner', 'AIBIUser'),
    tenantOwner: await session({ externalId: 'olga', ...creatorMode, settings }),
    admin: await key('admin', 'Admin'),
    adminSession: await session({ externalId: null, internalId: 'admin', embedTenantName, settings }),
    adminPerson: bearer((await platform.signedIn('Admin')).token),
  } satisfies Readonly<Record<Who, string | null>>;
}

/** Returns a token whose 24 hours have expired. */
async function expiredToken(platform: Platform): Promise<string> {
  const claims = await platform.tokens.verifyEmbedToken(await platform.tokenOf({ externalId: 'late' }));
  if (!claims) throw new Error('The platform rejects its own token.');
  const { expiresAt: _, ...identity } = claims;
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 25 * 60 * 60 * 1000);
  try {
    return await platform.tokens.signEmbedToken(identity);
  } finally {
    now.mockRestore();
  }
}

async function revokedToken(platform: Platform): Promise<string> {
  const { sessionId } = (await platform.mint({ externalId: 'gone', embedTenantName: tenants.ours })).body;
  const { token } = (await platform.exchange(sessionId)).body;
  await platform.call('POST', '/api/v1/embed/session/revoke', { sessionId });
  return token;
}
