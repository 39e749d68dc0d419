import { expect } from 'vitest';
import type { Answer, TestPlatform } from '../../test-platform.js';

/** What a round of writers racing for one publicId needs of a platform. */
export type RaceTrack = Pick<TestPlatform, 'call' | 'ok' | 'withConnection'>;

type Race = (platform: RaceTrack, publicId: string) => Promise<void>;

const reports = (deploymentId = 1) => `/api/v1/deployments/${deploymentId}/reports`;
const byPublicId = (publicId: string, deploymentId = 1) => `${reports(deploymentId)}/by-public-id/${publicId}`;
const codeOf = ({ status, body }: Answer) => (status === 409 ? (body.code ?? 'taken') : status);

/** What the store holds under a publicId. */
const stored = (platform: RaceTrack, publicId: string) =>
  platform.withConnection(async client => {
    const { rows } = await client.query('select name, version, deployment_id from reports where public_id = $1', [
      publicId,
    ]);
    return rows;
  });

/** One created, the other created, updated after it, or was told to try again; the report is as the last one left it. */
const upserts: Race = async (platform, publicId) => {
  const answers = await Promise.all(['A', 'B'].map(name => platform.call('PUT', byPublicId(publicId), { name })));
  const won = answers.filter(({ status }) => status === 200);
  expect(won.length).toBeGreaterThan(0);
  for (const answer of answers) expect([200, 'upsert_branch_changed']).toContain(codeOf(answer));
  const last = won.reduce((one, other) => (other.body.version > one.body.version ? other : one));
  expect(won.map(({ body }) => body.version).sort()).toEqual(won.map((_, index) => index + 1));
  expect(await stored(platform, publicId)).toEqual([{ name: last.body.name, version: won.length, deployment_id: '1' }]);
};

/** One was created; the other's id is taken, which stays so. */
const creates: Race = async (platform, publicId) => {
  const answers = await Promise.all(['A', 'B'].map(name => platform.call('POST', reports(), { name, publicId })));
  expect(answers.map(codeOf).sort()).toEqual([200, 'taken']);
  const won = answers.find(({ status }) => status === 200);
  expect(await stored(platform, publicId)).toEqual([{ name: won?.body.name, version: 1, deployment_id: '1' }]);
};

/** Two deployments, one id: it belongs to one of them, and the other is told so for good, at the latest when it tries again. */
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

/** Two reports adopt one id: one has it, the other is as it was. */
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

/** A writer and a deleter: what was acknowledged as written was there, and nothing is left of what was deleted. */
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
 * One round of two writers who race for one publicId, of a kind by turns: one wins, the other is told as the rules say, and nothing is
 * doubled or half done. The platform has a deployment 2 beside the first.
 */
export async function raceForPublicId(platform: RaceTrack, round: number): Promise<void> {
  const race = races[round % races.length];
  await race?.(platform, `Race${String(round).padStart(8, '0')}`);
}
