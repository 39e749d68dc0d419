import { expect } from 'vitest';
import type { Answer, TestPlatform } from '../../test-platform.js';

/** The platform functions that a race round needs. */
export type RaceTrack = Pick<TestPlatform, 'call' | 'ok' | 'withConnection'>;

type Race = (platform: RaceTrack, publicId: string) => Promise<void>;

const reports = (deploymentId = 1) => `/api/v1/deployments/${deploymentId}/reports`;
const byPublicId = (publicId: string, deploymentId = 1) => `${reports(deploymentId)}/by-public-id/${publicId}`;
const codeOf = ({ status, body }: Answer) => (status === 409 ? (body.code ?? 'taken') : status);

/** Returns the stored reports with a publicId. */
const stored = (platform: RaceTrack, publicId: string) =>
  platform.withConnection(async client => {
    const { rows } = await client.query('select name, version, deployment_id from reports where public_id = $1', [
      publicId,
    ]);
    return rows;
  });

/**
 * Runs two upserts. One creates the report; the other updates it or gets a retryable conflict. The report matches the
 * last write.
 */
const upserts: Race = async (platform, publicId) => {
  const answers = await Promise.all(['A', 'B'].map(name => platform.call('PUT', byPublicId(publicId), { name })));
  const won = answers.filter(({ status }) => status === 200);
  expect(won.length).toBeGreaterThan(0);
  for (const answer of answers) expect([200, 'upsert_branch_changed']).toContain(codeOf(answer));
  const last = won.reduce((one, other) => (other.body.version > one.body.version ? other : one));
  expect(won.map(({ body }) => body.version).sort()).toEqual(won.map((_, index) => index + 1));
  expect(await stored(platform, publicId)).toEqual([{ name: last.body.name, version: won.length, deployment_id: '1' }]);
};

/** Runs two creates. One succeeds; the other gets a permanent conflict. */
const creates: Race = async (platform, publicId) => {
  const answers = await Promise.all(['A', 'B'].map(name => platform.call('POST', reports(), { name, publicId })));
  expect(answers.map(codeOf).sort()).toEqual([200, 'taken']);
  const won = answers.find(({ status }) => status === 200);
  expect(await stored(platform, publicId)).toEqual([{ name: won?.body.name, version: 1, deployment_id: '1' }]);
};

/** Uses one id in two deployments. One gets the id; the other gets a permanent conflict, at the latest on its retry. */
const deployments: Race = async (platform, publicId) => {
  const answers = await Promise.all(
    [1, 2].map(id => platform.call('PUT', byPublicId(publicId, id), { name: `of ${id}` })),
  );
  const lost = answers.findIndex(({ status }) => status !== 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(['taken', 'upsert_branch_changed']).toContain(codeOf(answers[lost] as Answer));
  expect(codeOf(await platform.call('PUT', byPublicId(publicId, lost + 1), {}))).toBe('taken');
  const winner = 2 - lost;
  expect(await stored(platform, publicId)).toEqual([
    { name: `of ${winner}`, version: 1, deployment_id: String(winner) },
  ]);
};

/** Lets two reports adopt one id. One gets the id; the other is unchanged. */
const adoptions: Race = async (platform, publicId) => {
  const made = await Promise.all(['A', 'B'].map(name => platform.ok('POST', reports(), { name })));
  const answers = await Promise.all(
    made.map(({ id }) => platform.call('PUT', `${reports()}/${id}`, { publicId, title: 'Adopted' })),
  );
  expect(answers.map(codeOf).sort()).toEqual([200, 'taken']);
  const lost = made[answers.findIndex(({ status }) => status === 409)];
  expect(await platform.ok('GET', `${reports()}/${lost.id}`)).toEqual(lost);
  expect(await stored(platform, publicId)).toHaveLength(1);
};

/** Runs a write and a delete. Acknowledged writes are stored, and nothing of a deleted report remains. */
const deletion: Race = async (platform, publicId) => {
  const { id } = await platform.ok('PUT', byPublicId(publicId), { name: 'Old' });
  const [deleted, written] = await Promise.all([
    platform.call('DELETE', `${reports()}/${id}`),
    platform.call('PUT', byPublicId(publicId), { name: 'New' }),
  ]);
  expect(deleted.status).toBe(204);
  expect([200, 'upsert_branch_changed']).toContain(codeOf(written));
  const isNew = written.status === 200 && written.body.id !== id;
  expect(await stored(platform, publicId)).toEqual(isNew ? [{ name: 'New', version: 1, deployment_id: '1' }] : []);
};

const races: readonly Race[] = [upserts, creates, deployments, adoptions, deletion];

/**
 * Runs one round of two concurrent writers for one publicId. The kind of race depends on the round. Checks that one
 * succeeds, the other gets the specified error, and no write is duplicated or partial. The platform must have a
 * deployment 2.
 */
export async function raceForPublicId(platform: RaceTrack, round: number): Promise<void> {
  const race = races[round % races.length];
  await race?.(platform, `Race${String(round).padStart(8, '0')}`);
}
