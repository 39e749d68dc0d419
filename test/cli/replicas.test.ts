import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as client from '../../src/client/index.js';
import { createEmbedSession } from '../../src/node/index.js';
import { eventually } from '../eventually.js';
import { ReplicaSet } from './replica-set.js';
import { ReplicaWork } from './replica-work.js';

const perMinute = 200;
const of = (workbookId: number) => ({ deploymentId: 1, workbookId });

let replicas: ReplicaSet;

beforeAll(async () => {
  replicas = await ReplicaSet.start(3, ['--rate-limit', String(perMinute)]);
  await client.updateAppConfig(replicas.admin, { embedding: { enableDashboardComments: true } });
});

afterAll(() => replicas?.stop());

async function signIn(externalId: string, embedTenantName = 'acme'): Promise<{ token: string; sessionId: string }> {
  const { baseUrl, token: apiKey } = replicas.admin;
  const grant = { deploymentId: 1, externalId, embedTenantName, roles: ['AIBIViewer'] };
  const { sessionId } = await createEmbedSession({ baseUrl, apiKey }, grant);
  return { sessionId, token: await client.exchangeSession(replicas.admin, sessionId) };
}

/** Publishes a dashboard that all embed users may read, titled like its workbook. */
async function publish(slug: string) {
  const { id } = await client.upsertWorkbookBySlug(replicas.admin, { deploymentId: 1, slug }, { name: slug });
  const config = { widgets: [] };
  const { publicId } = await client.publishDashboard(replicas.admin, of(id), { config, allowEmbed: true });
  await client.updateEmbedAccess(replicas.admin, of(id), { allEmbedUsers: true, action: 'read' });
  return { id, publicId };
}

/** Returns the response of each replica: a value, or the status of the error. */
async function fromEach<T>(
  connections: readonly client.PlatformConnection[],
  ask: (one: client.PlatformConnection) => Promise<T>,
) {
  return Promise.all(
    connections.map(connection =>
      ask(connection).catch((error: unknown) => (error instanceof client.PaError ? error.status : error)),
    ),
  );
}

const thrice = <T>(value: T): T[] => [value, value, value];

describe('three replicas on one database', () => {
  it('see changes to a dashboard immediately, although all of them had cached it', async () => {
    const { id, publicId } = await publish('changing');
    const readers = replicas.each((await signIn('reader')).token);
    const read = <T>(pick: (board: Awaited<ReturnType<typeof client.getDashboard>>) => T) =>
      fromEach(readers, async reader => pick(await client.getDashboard(reader, publicId)));
    for (const admin of replicas.each()) {
      await client.updateAppConfig(admin, { restrictDataDownload: true });
      expect(await read(board => board.restrictDataDownload)).toEqual(thrice(true));
      await client.updateAppConfig(admin, { restrictDataDownload: false });
      expect(await read(board => board.restrictDataDownload)).toEqual(thrice(false));
      await client.updateDashboardEmbedding(admin, publicId, { allowEmbed: false });
      expect(await read(board => board.allowEmbed)).toEqual(thrice(403));
      await client.updateDashboardEmbedding(admin, publicId, { allowEmbed: true });
      expect(await read(board => board.allowEmbed)).toEqual(thrice(true));
      await client.updateEmbedAccess(admin, of(id), { allEmbedUsers: true, action: 'none' });
      expect(await read(board => board.id)).toEqual(thrice(404));
      await client.updateEmbedAccess(admin, of(id), { allEmbedUsers: true, action: 'read' });
      const name = `Renamed by ${replicas.each().indexOf(admin)} at ${performance.now()}`;
      await client.updateWorkbook(admin, of(id), { name });
      expect(await read(board => board.title)).toEqual(thrice(name));
      const config = { description: name, widgets: [] };
      const { versionNumber } = await client.publishDashboard(admin, of(id), { config });
      expect(await read(board => board.versionNumber)).toEqual(thrice(versionNumber));
    }
  });

  it('see changes to configuration, keys, roles, sessions and tenants immediately', async () => {
    const { id } = await publish('guarded');
    const policies = [{ actions: ['WorkbookRead'], resourceType: 'Workbook', resources: [String(id)] }] as const;
    for (const [index, admin] of replicas.each().entries()) {
      const title = `Titled by ${index}`;
      await client.updateAppConfig(admin, { creatorMode: { workspaceTitle: title } });
      const config = await fromEach(replicas.each(), one => client.getAppConfig(one));
      expect(config).toEqual(
        thrice(expect.objectContaining({ creatorMode: expect.objectContaining({ workspaceTitle: title }) })),
      );

      const made = await client.createApiKey(admin, {
        name: `key ${index}`,
        username: `user ${index}`,
        role: 'AIBIViewer',
      });
      const holders = replicas.each(made.key);
      const seen = () => fromEach(holders, async one => (await client.getWorkbook(one, of(id))).id);
      expect(await seen()).toEqual(thrice(404));
      const role = await client.createRole(admin, {
        name: `role ${index}`,
        policies: policies.map(each => ({ ...each, actions: [...each.actions], resources: [...each.resources] })),
      });
      await client.assignRoleToUser(admin, { roleId: role.id, userId: made.user.id });
      expect(await seen()).toEqual(thrice(id));
      await client.updateRole(admin, role.id, { policies: [] });
      expect(await seen()).toEqual(thrice(404));
      await client.revokeApiKey(admin, made.id);
      expect(await seen()).toEqual(thrice(401));

      const { token, sessionId } = await signIn(`guest ${index}`, `guests-${index}`);
      const another = await signIn(`other guest ${index}`, `guests-${index}`);
      const listed = (held: string) =>
        fromEach(replicas.each(held), async one => (await client.listDeployments(one)).items.length);
      expect(await listed(token)).toEqual(thrice(1));
      await client.revokeSession(admin, sessionId);
      expect(await listed(token)).toEqual(thrice(401));
      expect(await listed(another.token)).toEqual(thrice(1));
      await client.deleteEmbedTenant(admin, `guests-${index}`);
      expect(await listed(another.token)).toEqual(thrice(401));
    }
  });

  it('share the rate limit of a user without affecting other users', async () => {
    // Number of requests that a replica reserves at a time. A replica may reject requests while another one still has
    // some of its reservation.
    const part = perMinute / 20;
    const greedy = { ...replicas.as((await signIn('greedy')).token), retries: 0 };
    let [good, refused] = [0, 0];
    const ask = async () => {
      // A new minute of the rate limit may start during the loop.
      while (refused === 0 && good < 2 * (perMinute + 3 * part)) {
        await client.listDeployments(greedy).then(
          () => good++,
          (error: unknown) => {
            if (!(error instanceof client.PaRateLimitError)) throw error;
            refused++;
          },
        );
      }
    };
    await Promise.all(Array.from({ length: 4 }, ask));
    expect(refused).toBeGreaterThan(0);
    expect(good).toBeGreaterThanOrEqual(perMinute - 3 * part);
    await client.listDeployments(replicas.as((await signIn('modest')).token));
  });

  it('lose and duplicate no writes, and fail no retried request, when one is killed and one is stopped', async () => {
    const { publicId } = await publish('busy');
    const work = await ReplicaWork.begin(replicas, { publicId, workers: 6 });
    await work.steps(24);
    expect(await replicas.end(0, 'SIGKILL')).toBe('SIGKILL');
    await work.steps(24);
    expect(await replicas.end(1, 'SIGTERM')).toBe(0);
    await work.steps(24);
    const { failures, counts } = await work.end();
    expect(failures).toEqual([]);
    for (const { what, found, isAcknowledged } of counts) {
      expect(isAcknowledged ? [1] : [0, 1], what).toContain(found);
    }
    await eventually(async () => expect(await work.unfinished()).toEqual([]), 100);
  });
});
