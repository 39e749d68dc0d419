import type { Answer } from '../../test-platform.js';

/** The platform functions that a race round needs. */
export interface RacePlatform {
  call(method: string, path: string, body?: unknown, credential?: string): Promise<Answer>;
}

/** A race whose result violates the specification. */
class RaceFault extends Error {}

const all = '/api/v1/deployments/1/workbooks';
const bySlug = (slug: string) => `${all}/by-slug/${slug}`;
const overtaken = 'upsert_branch_changed';
const slugTaken = 'slug_taken';

/**
 * Runs one round of concurrent writers for one slug; the kind of race depends on the round: two creates, an update and
 * a delete, or two takeovers. Resolves if one writer succeeds and the others get the specified error.
 * @throws Error that describes the fault.
 */
export async function raceOnSlug(bed: RacePlatform, round: number): Promise<void> {
  const slug = `race-${round}`;
  const race = [createTwice, updateAndDelete, takeOverTwice][round % 3];
  await race?.(bed, slug);
}

/** Spec 4.3, rule 6: one request creates; the other gets a retryable conflict or updates. */
async function createTwice(bed: RacePlatform, slug: string): Promise<void> {
  const writers = ['one', 'two'];
  const answers = await Promise.all(
    writers.map(name => bed.call('PUT', bySlug(slug), { name, meta: { [name]: true } })),
  );
  const done = answers.filter(answer => answer.status === 200);
  expectAll(answers, [200, overtaken]);
  demand(done.length > 0, 'nobody created the workbook');
  demand(new Set(done.map(({ body }) => body.id)).size === 1, 'two workbooks got one slug');
  const left = await found(bed, slug);
  const applied = writers.filter((_, index) => answers[index]?.status === 200);
  demand(
    Object.keys(left.meta).sort().join() === applied.sort().join(),
    'a rejected change was applied, or an accepted one was not',
  );
}

/**
 * Rule 6: an update of a concurrently deleted workbook is rejected, or creates a new one if it runs after the delete.
 */
async function updateAndDelete(bed: RacePlatform, slug: string): Promise<void> {
  const { id } = await found(bed, slug);
  const [update, removal] = await Promise.all([
    bed.call('PUT', bySlug(slug), { name: 'Updated' }),
    bed.call('DELETE', `${all}/${id}`),
  ]);
  expectAll([update], [200, overtaken]);
  demand(removal.status === 204, `the workbook was not deleted: ${removal.status}`);
  demand((await bed.call('GET', `${all}/${id}`)).status === 404, 'a deleted workbook is still there');
  const left = await found(bed, slug);
  demand(left.id !== id, 'a deleted workbook came back');
  const isNew = update.status === 200 && update.body.id !== id;
  demand((left.name === 'Updated') === isNew, 'a refused update was applied, or the reverse');
}

/** Spec 4.5: each takeover replaces the current holder; a caller without access to the holder gets `slug_taken`. */
async function takeOverTwice(bed: RacePlatform, slug: string): Promise<void> {
  const holder = await found(bed, slug);
  const takers = [(await bed.call('POST', all, {})).body, (await bed.call('POST', all, {})).body];
  const takeover = { slug, slugTakeover: true };
  const answers = await Promise.all(takers.map(({ id }) => bed.call('PUT', `${all}/${id}`, takeover)));
  expectAll(answers, [200, slugTaken]);
  demand(
    answers.some(({ status }) => status === 200),
    'nobody took the slug',
  );
  const slugs = [holder, ...takers].map(async ({ id }) => (await bed.call('GET', `${all}/${id}`)).body.slug);
  const holders = (await Promise.all(slugs)).filter(held => held === slug);
  demand(holders.length === 1, `${holders.length} workbooks hold one slug`);
}

async function found(bed: RacePlatform, slug: string): Promise<Answer['body']> {
  const { status, body } = await bed.call('PUT', bySlug(slug), {});
  demand(status === 200, `the workbook of the slug was not found: ${status}`);
  return body;
}

function expectAll(answers: readonly Answer[], allowed: readonly (number | string)[]): void {
  for (const { status, body } of answers) {
    demand(allowed.includes(status === 409 ? body.code : status), `a writer was told ${status} ${body?.code ?? ''}`);
  }
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new RaceFault(otherwise);
}
