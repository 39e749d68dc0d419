import '../../src/contract/messages.js';
import { randomUUID, scryptSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { BuiltInRole, Policy } from '../../src/contract/roles.js';
import { createAuthenticate } from '../../src/platform/auth/authenticate.js';
import { createAuthenticateScim } from '../../src/platform/auth/authenticate-scim.js';
import { setPassword } from '../../src/platform/auth/password-store.js';
import { createPersonSession } from '../../src/platform/auth/person-session-store.js';
import { createSealedSecrets } from '../../src/platform/auth/sealed-secrets.js';
import { hashApiKey } from '../../src/platform/auth/secrets.js';
import { sessionKeyOf } from '../../src/platform/auth/sessions.js';
import { apiKeys, auditLog, Role, roles, userRoles, users } from '../../src/platform/db/schema.js';
import { PlatformError } from '../../src/platform/errors.js';
import type { CompileChart, ConvertSql, PublicModel, RouteDeps } from '../../src/platform/http/route-deps.js';
import { platformRoutes } from '../../src/platform/platform-routes.js';
import { seed } from '../../src/platform/seed.js';
import { eventually } from '../eventually.js';
import { testSecrets, testTokens } from './auth/test-tokens.js';
import { openTestDatabase } from './db/test-database.js';

/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape, and a wrong path fails the test.
  readonly body: any;
}

/** Password of all persons that `signedIn` creates. */
export const testPassword = 'correct horse battery';
/** Its hash, at the lowest cost. Hashes contain their parameters, so that verifying it is cheap too. */
const testPasswordHash = `scrypt$16$8$1$AAAA$${scryptSync(testPassword, Buffer.alloc(3), 32, { N: 16, r: 8, p: 1 }).toString('base64url')}`;

/** Starts the Platform API on a new database with an admin's key and two account groups. */
export async function startTestPlatform(
  options: Partial<Pick<RouteDeps, 'oauth' | 'agentTools' | 'checkModel' | 'gitHosts'>> = {},
) {
  const database = await openTestDatabase();
  const deploymentsDirectory = await mkdtemp(join(tmpdir(), 'pa-deployments-'));
  const adminKey = 'the-admin-key';
  await seed(database.db, { adminKeyHash: hashApiKey(adminKey), groups: ['sales', 'finance'] });
  const tokens = testTokens;
  const compileChart = vi.fn<CompileChart>(async spec => ({ compiled: true, from: spec.mark }));
  const convertSql = vi.fn<ConvertSql>(async () => null);
  const publicModel = vi.fn<PublicModel>(() => null);
  const dataOf = vi.fn<RouteDeps['dataOf']>(() => null);
  const authenticate = createAuthenticate({ db: database.db, tokens });
  const deps: RouteDeps = {
    db: database.db,
    authenticate,
    authenticateScim: createAuthenticateScim({ db: database.db, authenticate, countRequest: async () => undefined }),
    tokens,
    publicUrl: 'https://platform.example/somewhere',
    dataApiPath: '/data-api',
    sealedSecrets: createSealedSecrets(testSecrets),
    compileChart,
    convertSql,
    publicModel,
    channels: { hasSlack: false, webhookHosts: [] },
    hasUsageAnalytics: true,
    signInProvider: null,
    oauth: { hosts: ['id.example.com'] },
    gitHosts: { testing: { folder: join(deploymentsDirectory, 'hosted') } },
    agentTools: { hosts: ['tools.example.com'] },
    onFailure: error => {
      throw error;
    },
    dataOf,
    deploymentsDirectory,
    checkModel: async () => ({ entities: 1, members: new Set<string>(), problems: [], warnings: [] }),
    generateModel: async () => new Map([['model/flights.yml', 'cubes: []\n']]),
    refreshTables: async () => undefined,
    forgetDeployment: async () => undefined,
    ...options,
  };
  const app = platformRoutes(deps);
  app.onError((error, context) => {
    if (!(error instanceof PlatformError)) throw error;
    const { message, code, status, details } = error;
    return new Response(JSON.stringify({ ...details, message, code }), { status, headers: context.res.headers });
  });

  async function call(method: string, path: string, body?: unknown, credential: string = adminKey): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await app.request(path, init);
    const text = await response.text();
    const isFile = response.headers.has('content-disposition');
    const read = isFile ? String : JSON.parse;
    return { status: response.status, body: text === '' ? undefined : read(text) };
  }

  async function ok(method: string, path: string, body?: unknown, credential?: string) {
    const answer = await call(method, path, body, credential);
    expect(answer, `${method} ${path}`).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
    return answer.body;
  }

  /** Sends a form, and returns the body of the successful response. */
  async function okForm(path: string, form: FormData): Promise<Answer['body']> {
    const response = await app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}` },
      body: form,
    });
    expect(response, path).toMatchObject({ status: 200 });
    return response.json();
  }

  const mint = (grant: object) =>
    call('POST', '/api/v1/embed/generate-session', { deploymentId: 1, externalId: 'ann', ...grant });
  const exchange = (sessionId: string) => call('POST', '/api/v1/embed/session/token', { sessionId }, '');

  /** Mints and exchanges a session; returns its embed token. */
  async function tokenOf(grant: object = {}): Promise<string> {
    const minted = await mint(grant);
    expect(minted).toMatchObject({ status: 200 });
    const exchanged = await exchange(minted.body.sessionId);
    expect(exchanged).toMatchObject({ status: 200 });
    return exchanged.body.token;
  }

  return {
    /** The app, for requests that no operation handles. */
    app,
    /** Dependencies of the routes. */
    deps,
    db: database.db,
    /** Connection of the database, for other processes. */
    connection: database.connection,
    tokens,
    compileChart,
    convertSql,
    publicModel,
    dataOf,
    call,
    ok,
    okForm,
    mint,
    exchange,
    tokenOf,
    /** Returns the security context of a grant's token. */
    contextOf: async (grant: object): Promise<Answer['body']> => decodeJwt(await tokenOf(grant)).securityContext,
    /**
     * Gives a new user an API key, and the user a built-in role (AIBIViewer by default; null for none) and policies.
     * @returns the user's id.
     */
    async addUserKey(key: string, role: BuiltInRole | null = 'AIBIViewer', policies: Policy[] = []): Promise<number> {
      const { db } = database;
      const [user] = await db
        .insert(users)
        .values({ username: `owner of ${key}`, role: role === 'Admin' ? Role.admin : Role.user })
        .returning();
      if (!user) throw new Error('The user was not created.');
      await db.insert(apiKeys).values({ name: key, keyHash: hashApiKey(key), userId: user.id });
      const [own] = await db
        .insert(roles)
        .values({ name: `of ${key}`, policies })
        .returning();
      const [builtIn] = role === null ? [] : await db.select().from(roles).where(eq(roles.name, role));
      const assigned = [own, builtIn].flatMap(each => (each ? [{ userId: user.id, roleId: each.id }] : []));
      await db.insert(userRoles).values(assigned);
      return user.id;
    },
    /** Creates a user of the account who has signed in. `headers` are those of a request of its browser. */
    async signedIn(role: BuiltInRole | null, method: 'password' | 'oidc' = 'password') {
      const { db } = database;
      const key = `key ${randomUUID()}`;
      const email = `${randomUUID()}@acme.example`;
      const userId = await this.addUserKey(key, role);
      await db.update(users).set({ email }).where(eq(users.id, userId));
      await setPassword(db, userId, { hash: testPasswordHash, isAdmin: role === 'Admin' });
      const secret = await createPersonSession(db, { userId, method });
      const expiresAt = new Date(Date.now() + 600_000);
      const token = await tokens.signAccessToken({ userId, sessionKey: sessionKeyOf(secret), expiresAt });
      const headers = { origin: 'https://platform.example', cookie: `__Host-pa-session=${secret}` };
      return { userId, email, password: testPassword, key, token, secret, headers };
    },
    /** Returns the audit log in order of insertion, optionally of one operation. */
    audited(operation?: string) {
      const isIt = operation === undefined ? undefined : eq(auditLog.operation, operation);
      return database.db.select().from(auditLog).where(isIt).orderBy(auditLog.id);
    },
    /** Calls `work` with a separate connection, for example to lock a row that a request needs. */
    async withConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
      const client = new pg.Client(database.connection);
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    async stop() {
      await rm(deploymentsDirectory, { recursive: true, force: true });
      await database.stop();
    },
  };
}

/** A platform that `startTestPlatform` has started. */
export type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>;

/** Resolves when another connection waits for a lock that this connection holds. */
export async function someoneWaits(client: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rows } = await client.query(
      `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
    );
    expect(rows).not.toHaveLength(0);
  }, 20);
}
