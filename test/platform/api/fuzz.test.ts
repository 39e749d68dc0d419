import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationShape } from '../../../src/contract/operation.js';
import { operations } from '../../../src/platform/http/operations.js';
import fc, { casesAtDepth, seed as usualSeed } from '../../property.js';
import type { Answer } from '../test-platform.js';
import { type Attack, attacksOn } from './attacks.js';
import { bodyObjection, objection, queryObjection } from './described.js';
import { exampleOf, forEachOf, rightCaller } from './every-operation.js';
import { startWorld, type World } from './world.js';

const attacksEach = casesAtDepth(12, 4);
const schemaAttacksEach = casesAtDepth(100, 12);
/** A fixed seed, like in all property tests. `PA_FUZZ_SEED` overrides it. */
const seed = Number(process.env.PA_FUZZ_SEED ?? usualSeed);

/** Operations that can affect other operations, because they disable, delete or rename something. They run last. */
const last = ['updateAppConfig', 'updateTenantSettings', 'updateDeployment', 'deleteDeployment', 'deleteEmbedTenant'];

let world: World;
let tables: string[];
beforeAll(async () => {
  world = await startWorld();
  tables = await world.platform.withConnection(async client => {
    // Rejected attempts to sign in count toward a rate limit.
    const { rows } = await client.query(
      `select tablename from pg_tables where schemaname = 'public' and tablename <> 'rate_limits' order by 1`,
    );
    return rows.map(({ tablename }) => String(tablename));
  });
});
afterAll(() => world.stop());

function send(operation: OperationShape, { path, text, contentType = 'application/json' }: Attack): Promise<Answer> {
  const credential = world.credentials[rightCaller(operation)];
  const headers = { 'content-type': contentType, ...(credential !== null && { authorization: credential }) };
  return world.fetch(path, { method: operation.method, headers, ...(text !== undefined && { body: text }) });
}

/** Returns the row count of every table and a checksum that every write changes, even if it writes the same values. */
async function fingerprint(): Promise<string[]> {
  const each = tables.map(
    table => `select '${table} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as line from "${table}"`,
  );
  const { rows } = await world.platform.withConnection(client => client.query(each.join(' union all ')));
  return rows.map(({ line }) => String(line));
}

const internals =
  /node_modules|drizzle|sqlstate|violates|relation "|duplicate key|invalid input syntax|syntax error at|\.[jt]s:\d|\bat async\b|\[object/i;

/** Returns why the request does not match the document, or `null` if it does. */
function refusalOf(operation: OperationShape, { parameter, text, body }: Attack): string | null {
  const inQuery = parameter ? queryObjection(operation, ...parameter) : null;
  return inQuery ?? (text === undefined || operation.body === undefined ? null : bodyObjection(operation, body));
}

/** Returns the problem of a response, or `null`. */
function problemOf(operation: OperationShape, attack: Attack, answer: Answer): string | null {
  const { status, body } = answer;
  if (status < 300) {
    const wrong = refusalOf(operation, attack);
    return wrong === null ? objection(operation, answer) : `accepted what the OpenAPI document forbids: ${wrong}`;
  }
  const { message = Object(body).detail } = Object(body);
  if (status < 400 || status >= 500) return `${status} ${message}`;
  if (typeof message !== 'string' || message === '' || message.length > 2_000) return `${status} says ${message}`;
  if (internals.test(message)) return `tells of its inside: ${message}`;
  const leaked = tables.find(table => table.includes('_') && message.includes(table));
  if (leaked !== undefined) return `tells of the table ${leaked}: ${message}`;
  if (attack.contentType !== undefined && attack.contentType !== 'application/json' && status !== 415)
    return `${status}`;
  const { fields } = attack;
  if (status === 400 && fields.length > 0 && !fields.some(field => message.includes(field))) {
    return `does not name ${fields.join(' or ')}: ${message}`;
  }
  return objection(operation, answer);
}

interface Refused {
  readonly operation: OperationShape;
  readonly attack: Attack;
}

describe('hostile input (spec 7)', () => {
  const problems: string[] = [];
  const refused: Refused[] = [];

  async function attackAll(operation: OperationShape): Promise<void> {
    let sent = await exampleOf(world, operation);
    for (let round = 0; round < attacksEach; round++) {
      const own = seed + operations.indexOf(operation) * attacksEach + round;
      const [attack] = fc.sample(attacksOn(operation, sent), { numRuns: 1, seed: own });
      if (!attack) throw new Error(`Nothing is known to attack ${operation.id} with.`);
      const answer = await send(operation, attack);
      const problem = problemOf(operation, attack, answer);
      if (problem !== null) problems.push(`${operation.id}: ${attack.name}: ${problem}`);
      if (operation.method === 'GET') continue;
      if (answer.status < 300) sent = await exampleOf(world, operation);
      else refused.push({ operation, attack });
    }
  }

  test('is rejected with the field name or accepted as documented, and never causes a failure', async () => {
    console.info(`PA_FUZZ_SEED=${seed}`);
    // Operations without input are omitted, because there is nothing to attack.
    const open = operations.filter(({ params, query, body }) => params ?? query ?? body);
    await forEachOf(
      open.filter(({ id }) => !last.includes(id)),
      attackAll,
    );
    for (const operation of open.filter(({ id }) => last.includes(id))) await attackAll(operation);
    expect(problems).toEqual([]);
    expect(world.failures).toEqual([]);
  });

  test('never causes the schema of a body to throw', async () => {
    for (const operation of operations) {
      const schema = operation.body;
      if (!schema) continue;
      const sent = await exampleOf(world, operation);
      for (const { name, body } of fc.sample(attacksOn(operation, sent), { numRuns: schemaAttacksEach, seed })) {
        expect(() => schema.safeParse(body), `${operation.id}: ${name}`).not.toThrow();
      }
    }
  });

  /** Repeats rejected requests, whose missing data may exist now, and returns those that are still rejected. */
  async function sendAgain(list: readonly Refused[]): Promise<Refused[]> {
    const still: Refused[] = [];
    await forEachOf(list, async each => {
      if ((await send(each.operation, each.attack)).status >= 400) still.push(each);
    });
    return still;
  }

  test('that was rejected has changed nothing', async () => {
    expect(refused.length).toBeGreaterThan(casesAtDepth(400, 100));
    let before = await fingerprint();
    const still = await sendAgain(refused);
    expect(refused.length - still.length).toBeLessThan(5);
    if (still.length < refused.length) {
      before = await fingerprint();
      await sendAgain(still);
    }
    const after = await fingerprint();
    expect(after).toEqual(before);
    // Check that a write would have been detected.
    await world.things.admin.role();
    expect(await fingerprint()).not.toEqual(after);
  });
});
