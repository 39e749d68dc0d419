import { randomUUID } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq, isNotNull, notInArray } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { DashboardConfigInput } from '../../../src/contract/dashboard-input.js';
import { deployments, jobs, notifications, userOauthTokens, users } from '../../../src/platform/db/schema.js';
import { updateExport } from '../../../src/platform/delivery/exports/export-store.js';
import { createUnsubscribeUrl } from '../../../src/platform/delivery/unsubscribe.js';
import { Repository } from '../../../src/platform/models/git/repository.js';
import { transformSyncHandler } from '../../../src/platform/models/transform-sync-runs.js';
import type { TestPlatform } from '../test-platform.js';

const deployment = '/api/v1/deployments/1';
const position = { x: 0, y: 0, w: 4, h: 3 };
let count = 0;

/** Returns an unused name. */
export function fresh(prefix: string): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** Returns an unused `publicId` that is not a placeholder. */
export function freshPublicId(): string {
  count += 1;
  return `Chosen${String(count).padStart(6, '0')}`;
}

/** A published dashboard with its location. */
export interface Published {
  readonly workbookId: number;
  readonly dashboardId: number;
  readonly publicId: string;
  /** The snapshot of the dashboard's report. */
  readonly snapshot: { readonly id: number; readonly reportId: number };
}

/** Returns the body of a request for an OAuth integration with an unused name. */
export const integrationBody = () => ({
  name: fresh('integration'),
  type: 'warehouse',
  authUrl: 'https://id.example.com/authorize',
  tokenUrl: 'https://id.example.com/token',
  redirectUri: 'https://platform.example/api/v1/user-oauth-tokens/callback',
  clientId: 'platform',
  clientSecret: 'a-secret-of-the-client',
  scopes: ['read'],
  config: { issuer: 'https://id.example.com' },
});

/** Returns the body of a request for a git host with an unused name. */
export const installationBody = (repository = 'acme/model') => ({
  login: fresh('host'),
  url: 'https://git.example.com',
  token: 'a-token-of-the-host',
  repositories: [repository],
});

type Widgets = NonNullable<z.input<typeof DashboardConfigInput>['widgets']>;

/** Functions that create data for example requests. */
export type Things = ReturnType<typeof thingsOf>;

/** @param owner - credential of the caller that creates content. An admin creates everything else. */
export function thingsOf(platform: TestPlatform, owner: string) {
  const made = async (path: string, body: object, credential?: string): Promise<number> =>
    (await platform.ok('POST', path, body, credential)).id;
  const content = (path: string, body: object = {}) => made(`${deployment}/${path}`, body, owner);
  let model: Promise<number> | undefined;
  let branches = 0;
  let firstTable: Promise<string> | undefined;
  let hosted: Promise<{ readonly installationId: number; readonly name: string }> | undefined;
  let connected: Promise<number> | undefined;
  let webhook: ReturnType<typeof createWebhook> | undefined;

  const uploadsOf = (deploymentId: number): string =>
    join(platform.deps.deploymentsDirectory ?? '', String(deploymentId), 'uploads');

  /** Uploads a data file. @returns the folder of its upload. */
  async function readTable(deploymentId: number): Promise<string> {
    const form = new FormData();
    form.append('file', new File(['airport,flights\nJFK,3\n'], 'airports.csv'));
    const { uploadId } = await platform.okForm(`/build/api/v1/deployments/${deploymentId}/tables/preview`, form);
    return join(uploadsOf(deploymentId), uploadId);
  }

  async function createHosted(name: string) {
    const directory = join(platform.deps.gitHosts.testing?.folder ?? '', `${name}.git`);
    await mkdir(directory, { recursive: true });
    await Repository.create(directory, new Map([['model/model.yml', 'cubes: []\n']]), 'user 1');
    return { installationId: await things.gitHost(name), name };
  }

  async function createWebhook(): Promise<{ readonly deploymentId: number; readonly secret: string }> {
    const deploymentId = await things.newConnectedProject();
    const path = `/build/api/v1/deployments/${deploymentId}/repohost/webhook`;
    return { deploymentId, secret: (await platform.ok('POST', path)).secret };
  }

  const things = {
    folder: () => content('folders', { name: fresh('folder') }),
    /** Creates an environment variable and returns its name. */
    async variable(): Promise<string> {
      const name = fresh('VARIABLE').replace('-', '_');
      await platform.ok('PUT', `${deployment}/env-vars`, { env_variables: [{ name, value: 'one' }] });
      return name;
    },
    workbook: () => content('workbooks', { name: fresh('workbook') }),
    report: () => content('reports', { name: fresh('report'), jsonQuery: '{"measures":["flights.count"]}' }),
    /** Creates a widget of each type that refers to other widgets, and the referenced controls. */
    async widgets(): Promise<Widgets> {
      const reportId = await things.report();
      const member = 'flights.carrier';
      const condition = { operator: 'equals', value: ['AA'] };
      const options = [{ id: 'usual', controls: { filter: condition, field: member } }];
      return [
        { id: 'chart', type: 'CHART', position, config: { reportId, controls: { filter: member } } },
        { id: 'filter', type: 'FILTER', position, config: { member, ...condition } },
        { id: 'field', type: 'FIELD', position, config: { member, members: [member] } },
        { id: 'parent', type: 'PARENT', position, config: { options, value: 'usual' } },
        { id: 'tabs', type: 'CONTAINER', position, config: { layout: 'tabs', children: ['chart'] } },
      ];
    },
    /** Publishes a dashboard with a chart and an AI widget. An admin shares it with the tenant `acme`. */
    async published(): Promise<Published> {
      const [workbookId, reportId] = await Promise.all([things.workbook(), things.report()]);
      const widgets = [
        { id: 'chart', type: 'CHART', position, config: { reportId } },
        { id: 'ai', type: 'AI', position, config: { prompt: 'Why?' } },
      ];
      const path = `${deployment}/workbooks/${workbookId}`;
      const published = await platform.ok('POST', `${path}/publish`, { config: { widgets } }, owner);
      const { id, publicId, reportSnapshots } = published;
      const share = { embedTenantName: 'acme', action: 'read', allowEmbed: true };
      await platform.ok('PUT', `${path}/embed-access`, share);
      return { workbookId, dashboardId: id, publicId, snapshot: reportSnapshots[0] };
    },
    /** Saves a view of user ann of tenant `acme`, shared with the tenant, of a dashboard that is shared with it. */
    async view(ann: string): Promise<{ readonly publicId: string; readonly viewId: number }> {
      const { publicId } = await things.published();
      const body = { name: 'West', state: {}, isShared: true };
      return { publicId, viewId: await made(`/api/v1/embed/dashboard/${publicId}/views`, body, ann) };
    },
    /** Adds a comment by user ann of tenant `acme` to a dashboard that is shared with it. */
    async comment(ann: string): Promise<{ readonly publicId: string; readonly commentId: number }> {
      const { publicId } = await things.published();
      const commentId = await made(`/api/v1/embed/dashboard/${publicId}/comments`, { body: 'Why so low?' }, ann);
      return { publicId, commentId };
    },
    /** Publishes a dashboard to which each viewer can subscribe without reaching the limit of subscriptions. */
    async subscribable(): Promise<string> {
      const isSubscription = isNotNull(notifications.subscriberId);
      const { id } = notifications;
      // Keep the latest subscriptions, because operations that are tried concurrently may still need them.
      const latest = platform.db.select({ id }).from(notifications).where(isSubscription).orderBy(desc(id)).limit(12);
      await platform.db.delete(notifications).where(and(isSubscription, notInArray(id, latest)));
      return (await things.published()).publicId;
    },
    /** Subscribes user ann of tenant `acme` to a dashboard. */
    async subscribed(ann: string): Promise<{ readonly publicId: string; readonly id: number }> {
      const publicId = await things.subscribable();
      const body = { scheduleType: 'DAILY', hour: 8 };
      return { publicId, id: await made(`/api/v1/embed/dashboard/${publicId}/subscriptions`, body, ann) };
    },
    async deployment(): Promise<number> {
      const [row] = await platform.db
        .insert(deployments)
        .values({ name: fresh('deployment'), creationStep: 'ready' })
        .returning();
      return row?.id ?? 0;
    },
    /** A deployment with a repository, which 40 branches share. */
    repository(): Promise<number> {
      // A deployment can have 200 branches, and operations take longer the more it has.
      if (branches % 40 === 0) model = undefined;
      branches += 1;
      model ??= made('/build/api/v1/deployments', { name: fresh('deployment') });
      return model;
    },
    /** A new deployment with a repository. */
    project: () => made('/build/api/v1/deployments', { name: fresh('deployment') }),
    /** A new git host. */
    gitHost: async (repository?: string): Promise<number> =>
      Number(await made('/api/v1/repohost/installations', installationBody(repository))),
    /** A repository of a git host, with one commit. */
    repositoryOfHost() {
      hosted ??= createHosted(fresh('acme/model'));
      return hosted;
    },
    /** A new deployment that is connected to a repository. */
    async newConnectedProject(): Promise<number> {
      const [deploymentId, repository] = [await things.project(), await things.repositoryOfHost()];
      await platform.ok('POST', `/build/api/v1/deployments/${deploymentId}/repohost/connect`, repository);
      return deploymentId;
    },
    /** A deployment that is connected to a repository. */
    connectedProject(): Promise<number> {
      connected ??= things.newConnectedProject();
      return connected;
    },
    /** The webhook of a connected deployment, whose secret does not change. */
    webhook() {
      webhook ??= createWebhook();
      return webhook;
    },
    /** A new branch of a deployment with a repository. */
    async branch(): Promise<{ readonly deploymentId: number; readonly branchName: string }> {
      const deploymentId = await things.repository();
      const branchName = fresh('branch');
      await platform.ok('POST', `/build/api/v1/deployments/${deploymentId}/branches`, { name: branchName });
      return { deploymentId, branchName };
    },
    /** A new branch with the new file `model/<branch>.yml`, which is not committed. */
    async changedBranch() {
      const created = await things.branch();
      const { deploymentId, branchName } = created;
      const files = [{ path: `model/${branchName}.yml`, content: 'cubes: []' }];
      await platform.ok('PUT', `/build/api/v1/deployments/${deploymentId}/data-model/files`, { branchName, files });
      return created;
    },
    /** A new branch whose change is committed. */
    async committedBranch() {
      const created = await things.changedBranch();
      const { deploymentId, branchName } = created;
      await platform.ok('POST', `/build/api/v1/deployments/${deploymentId}/commit`, { branchName });
      return created;
    },
    /** A new branch of a new branch, both with the same commit. No other operation changes the parent. */
    async childBranch() {
      const { deploymentId, branchName: from } = await things.branch();
      const branchName = fresh('branch');
      await platform.ok('POST', `/build/api/v1/deployments/${deploymentId}/branches`, { name: branchName, from });
      return { deploymentId, branchName };
    },
    /** A new upload to a new branch. */
    async upload() {
      const created = await things.branch();
      const { deploymentId, branchName } = created;
      const path = `/build/api/v1/deployments/${deploymentId}/data-model/upload/start?branchName=${branchName}`;
      const { transaction } = await platform.ok('POST', path);
      return { ...created, transaction: { id: String(transaction.id) } };
    },
    /** A data file that is uploaded, but not a table yet. Only the first one is read; the others are copies of it. */
    async tableUpload(): Promise<{ readonly deploymentId: number; readonly uploadId: string }> {
      const deploymentId = await things.repository();
      firstTable ??= readTable(deploymentId);
      const uploadId = randomUUID();
      await cp(await firstTable, join(uploadsOf(deploymentId), uploadId), { recursive: true });
      return { deploymentId, uploadId };
    },
    importTable: (deploymentId: number, body: object) =>
      platform.ok('POST', `/build/api/v1/deployments/${deploymentId}/tables`, body),
    environment: async () => Number((await platform.ok('GET', `${deployment}/environments`)).items[0].id),
    async notification(): Promise<number> {
      const { dashboardId } = await things.published();
      return made(`${deployment}/notifications`, { dashboardId, scheduleType: 'DAILY' });
    },
    /** Starts an export. */
    async export(): Promise<string> {
      const body = { dashboardPublicId: (await things.published()).publicId, format: 'png' };
      return (await platform.ok('POST', `${deployment}/dashboard-exports`, body, owner)).jobId;
    },
    /** Creates a completed export. */
    async completedExport(): Promise<string> {
      const id = await things.export();
      await updateExport(platform.db, id, {
        status: 'completed',
        content: new TextEncoder().encode('picture'),
        contentType: 'image/png',
      });
      return id;
    },
    /** Returns the token of a `List-Unsubscribe` address. */
    async subscription(): Promise<string> {
      const url = createUnsubscribeUrl(platform.deps.sealedSecrets, '')(await things.notification(), 1);
      return url.slice(url.lastIndexOf('/') + 1);
    },
    agent: () => made(`${deployment}/agents`, { name: fresh('agent') }),
    space: () => made(`${deployment}/agent-spaces`, { name: fresh('space') }),
    role: () => made('/api/v1/roles', { name: fresh('role'), policies: [] }),
    user: () => platform.addUserKey(fresh('key'), 'AIBIUser'),
    key: () => made('/api/v1/api-keys', { name: fresh('key'), username: 'admin' }),
    accountUser: () => made('/api/v1/users', { username: fresh('person'), email: `${fresh('person')}@acme.example` }),
    accountGroup: async (): Promise<string> => {
      const made = await platform.ok('POST', '/api/scim/v2/Groups', { displayName: fresh('team') });
      return made.id;
    },
    signedIn: () => platform.signedIn('AIBIUser'),
    integration: () => made('/api/v1/oauth-integrations', integrationBody()),
    /** Creates an integration, from which all administrators have a token. */
    async connected(): Promise<number> {
      const integrationId = await things.integration();
      const admins = await platform.db.select({ id: users.id }).from(users).where(eq(users.role, 'admin'));
      await platform.db.insert(userOauthTokens).values(admins.map(({ id }) => ({ integrationId, userId: id })));
      return integrationId;
    },
    tokenConfig: () =>
      made('/api/v1/oidc-token-configs', {
        audienceType: 'custom',
        customAudience: 'https://warehouse.example',
        name: fresh('token'),
      }),
    scimKey: () => made('/api/v1/scim-keys', { name: fresh('directory') }),
    attribute: () => made('/api/v1/user-attributes', { name: fresh('attribute').replace('-', '_'), type: 'string' }),
    group: () => made('/api/v1/embed-tenants/acme/groups', { name: fresh('group') }),
    async tenant(): Promise<string> {
      const name = fresh('tenant');
      await platform.ok('POST', `/api/v1/embed-tenants/${name}/user`, { externalId: 'first' });
      return name;
    },
    session: async (): Promise<string> => (await platform.mint({ externalId: fresh('visitor') })).body.sessionId,
    /** Starts a sync. */
    sync: async (): Promise<string> =>
      (await platform.ok('POST', `${deployment}/xform-sync`, { branchName: fresh('branch') })).syncJobId,
    /** Creates a completed sync. */
    async completedSync(): Promise<string> {
      const started = await platform.ok('POST', `${deployment}/xform-sync`, { branchName: fresh('branch') });
      const [job] = await platform.db.select().from(jobs).where(eq(jobs.id, started.workflowId));
      const handler = transformSyncHandler(platform.db, platform.publicModel);
      await handler.run(job?.payload ?? {}, new AbortController().signal);
      return started.syncJobId;
    },
  };
  return things;
}
