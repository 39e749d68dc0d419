import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPlatform, type Platform } from '../../src/platform/create-platform.js';
import { eventually } from '../eventually.js';
import fc, { casesAtDepth, seed } from '../property.js';
import { takePlatformDatabase } from './db/test-database.js';

const publicUrl = 'https://platform.example';
const adminKey = 'the-admin-key-of-the-tests';

let folder: string;
let database: Awaited<ReturnType<typeof takePlatformDatabase>>;
let platform: Platform;
/** Messages in the log. */
const problems: string[] = [];
/** Ids of two deployments with a repository. */
let ids: number[];

function modelText(sql: string): string {
  return `cubes:
  - name: orders
    sql_table: orders
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
    dimensions:
      - { name: shop, sql: shop, type: string }
    measures:
      - { name: total, sql: "${sql}", type: sum }
`;
}

async function send(method: string, path: string, credential: string, body?: unknown) {
  const request = new Request(`${publicUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: credential },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await platform.fetch(request);
  return { status: response.status, body: await response.json() };
}

async function ok(method: string, path: string, body?: unknown, credential = `Bearer ${adminKey}`) {
  const answer = await send(method, path, credential, body);
  expect(answer, `${method} ${path}`).toMatchObject({ status: 200 });
  return answer.body;
}

const build = (id: number | undefined, path: string) => `/build/api/v1/deployments/${id}/${path}`;
const writeModel = (id: number | undefined, branchName: string, content: string) =>
  ok('PUT', build(id, 'data-model/files'), { branchName, files: [{ path: 'model/orders.yml', content }] });

const setVariables = (id: number | undefined, variables: Readonly<Record<string, string>>) =>
  ok('PUT', `/api/v1/deployments/${id}/env-vars`, {
    env_variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
  });

/** Makes a model the production model of a deployment. */
async function deploy(id: number | undefined, content: string): Promise<void> {
  await ok('POST', build(id, 'branches'), { name: 'first' });
  await writeModel(id, 'first', content);
  await ok('POST', build(id, 'commit'), { branchName: 'first' });
  await ok('POST', build(id, 'merge-to-default'), { branchName: 'first', message: 'm', removeBranchAfterMerge: true });
}

/** Returns a data token of an embed session. */
async function tokenOf(
  deploymentId: number | undefined,
  branchName?: string,
  securityContext: object = {},
): Promise<string> {
  const named = branchName === undefined ? {} : { branchName };
  const grant = { deploymentId, externalId: 'ann', securityContext, ...named };
  const { sessionId } = await ok('POST', '/api/v1/embed/generate-session', grant);
  const { token } = await ok('POST', '/api/v1/embed/session/token', { sessionId });
  return (await ok('POST', `/api/v1/deployments/${deploymentId}/token`, {}, `Bearer ${token}`)).platformApiToken;
}

const addressOf = (id: number | undefined) => (id === 1 ? '/data-api/v1' : `/deployments/${id}/data-api/v1`);
const query = { measures: ['orders.total'], dimensions: ['orders.shop'] };

async function rowsOf(id: number | undefined, token: string, asked: object = query): Promise<unknown> {
  const { status, body } = await send('POST', `${addressOf(id)}/load`, token, { query: asked });
  return status === 200 ? body.data : { status, ...body };
}

async function sqlRowsOf(id: number | undefined, token: string, statement = ''): Promise<string> {
  const request = new Request(`${publicUrl}${addressOf(id)}/cubesql`, {
    method: 'POST',
    headers: { authorization: token },
    body: JSON.stringify({ query: statement }),
  });
  return (await platform.fetch(request)).text();
}

const tenantModel = modelText('amount').replace(
  '{ allow_all: true }',
  '{ filters: [{ member: shop, operator: equals, values: ["{ securityContext.shop }"] }] }',
);
/** Cases whose queries run together. */
const casesPerRound = 100;

type Row = Readonly<Record<string, string | null>>;

/** Queries with the same members, and the rows that they return to a caller who sees `rows` with all members. */
const variants: readonly {
  readonly query: object;
  readonly sql: string;
  readonly rows: (rows: readonly Row[]) => readonly Row[];
}[] = [
  { query, sql: 'SELECT shop, MEASURE(total) FROM orders GROUP BY 1', rows: rows => rows },
  {
    query: { measures: ['orders.total'] },
    sql: 'SELECT MEASURE(total) FROM orders',
    rows: ([first]) => [{ 'orders.total': first?.['orders.total'] ?? null }],
  },
  {
    query: { dimensions: ['orders.shop'], limit: 5 },
    sql: 'SELECT shop FROM orders GROUP BY 1 LIMIT 5',
    rows: rows => rows.map(each => ({ 'orders.shop': each['orders.shop'] ?? null })),
  },
  ...['second', 'third'].map(shop => ({
    query: { ...query, filters: [{ member: 'orders.shop', operator: 'equals', values: [shop] }] },
    sql: `SELECT shop, MEASURE(total) FROM orders WHERE shop = '${shop}' GROUP BY 1`,
    rows: (rows: readonly Row[]) => rows.filter(each => each['orders.shop'] === shop),
  })),
];

/** Returns random pairs of a caller index and a query index. With the fixed seed, every run tests the same pairs. */
function isolationCases(cases: number, callers: number): (readonly [number, number])[] {
  return fc.sample(fc.tuple(fc.nat(callers - 1), fc.nat(variants.length - 1)), { numRuns: cases, seed });
}

const row = (shop: string, total: number) => [{ 'orders.shop': shop, 'orders.total': String(total) }];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-isolation-'));
  const [model, sources, dataDirectory] = ['model', 'sources', 'data'].map(name => join(folder, name));
  for (const path of [model, sources]) await mkdir(path ?? '');
  await writeFile(join(model ?? '', 'model.yml'), modelText('amount'));
  await writeFile(join(sources ?? '', 'orders.csv'), 'shop,amount\nfolder,1\n');
  database = await takePlatformDatabase();
  const folders = { modelDirectory: model ?? '', sourcesDirectory: sources ?? '', dataDirectory: dataDirectory ?? '' };
  const options = { ...folders, onFailure: (message: string) => void problems.push(message) };
  platform = await createPlatform({ publicUrl, adminKey, ...database.options, ...options });
  ids = [];
  for (const [shop, amount] of [
    ['second', 20],
    ['third', 300],
  ] as const) {
    const { id, deploymentUrl } = await ok('POST', '/build/api/v1/deployments', { name: shop });
    expect(deploymentUrl).toBe(`${publicUrl}/deployments/${id}`);
    const file = join(dataDirectory ?? '', 'deployments', String(id), 'sources', 'orders.csv');
    await writeFile(file, `shop,amount\n${shop},${amount}\n`);
    await deploy(id, modelText('amount'));
    ids.push(id);
  }
}, 120_000);

afterAll(async () => {
  await platform?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('deployments and branches', () => {
  it(
    'return only their own rows to identical queries that are interleaved',
    async () => {
      const [second, third] = ids;
      for (const [id, name, content] of [
        [second, 'work', modelText('amount * 7')],
        // A branch of another deployment with the same name and the same model.
        [third, 'work', modelText('amount * 7')],
        [second, 'edited', modelText('amount * 2')],
        // Each tenant reads only the rows of its shop, which production does not require.
        [second, 'tenants', tenantModel],
      ] as const) {
        await ok('POST', build(id, 'branches'), { name });
        await writeModel(id, name, content);
      }
      const edited: { id: number | undefined; token: string; expected: ReturnType<typeof row> } = {
        id: second,
        token: await tokenOf(second, 'edited'),
        expected: row('second', 40),
      };
      const callers = [
        { id: 1, token: await tokenOf(1), expected: row('folder', 1) },
        { id: second, token: await tokenOf(second), expected: row('second', 20) },
        { id: second, token: await tokenOf(second, 'work'), expected: row('second', 140) },
        { id: third, token: await tokenOf(third), expected: row('third', 300) },
        { id: third, token: await tokenOf(third, 'work'), expected: row('third', 2100) },
        { id: second, token: await tokenOf(second, 'tenants', { shop: 'second' }), expected: row('second', 20) },
        { id: second, token: await tokenOf(second, 'tenants', { shop: 'other' }), expected: [] },
        edited,
      ];
      const loads = isolationCases(casesAtDepth(10_000), callers.length);
      for (let start = 0; start < loads.length; start += casesPerRound) {
        // Queries of the other callers run while one branch gets another model.
        const factor = 2 + ((start / casesPerRound) % 3);
        const others = Promise.all(callers.slice(0, -1).map(each => rowsOf(each.id, each.token)));
        await writeModel(second, 'edited', modelText(`amount * ${factor}`));
        expect(await others).toEqual(callers.slice(0, -1).map(each => each.expected));
        edited.expected = row('second', 20 * factor);
        const part = loads.slice(start, start + casesPerRound).map(([at, of]) => ({ ...callers[at], of }));
        const rows = await Promise.all(part.map(each => rowsOf(each.id, each.token ?? '', variants[each.of]?.query)));
        expect(rows).toEqual(part.map(each => variants[each.of]?.rows(each.expected ?? [])));
      }
      const statements = isolationCases(casesAtDepth(5_000), callers.length);
      for (let start = 0; start < statements.length; start += casesPerRound) {
        const part = statements.slice(start, start + casesPerRound).map(([at, of]) => ({ ...callers[at], of }));
        const texts = await Promise.all(part.map(each => sqlRowsOf(each.id, each.token ?? '', variants[each.of]?.sql)));
        for (const [index, { expected = [], of }] of part.entries()) {
          const values = variants[of]?.rows(expected).flatMap(each => Object.values(each)) ?? [];
          for (const value of values) if (value !== null) expect(texts[index]).toContain(`"${value}"`);
          for (const other of ['folder', 'second', 'third'])
            if (!values.includes(other)) expect(texts[index]).not.toContain(other);
        }
      }
    },
    casesAtDepth(1_800_000, 300_000),
  );

  it('reject tokens and sessions of another deployment', async () => {
    const all = [1, ...ids];
    for (const own of all) {
      const token = await tokenOf(own);
      for (const other of all) {
        const expected = other === own ? { 0: expect.anything() } : { status: 403, error: 'Invalid token' };
        expect(await rowsOf(other, token)).toMatchObject(expected);
      }
    }
    const { sessionId } = await ok('POST', '/api/v1/embed/generate-session', {
      deploymentId: ids[0],
      externalId: 'bob',
    });
    const { token } = await ok('POST', '/api/v1/embed/session/token', { sessionId });
    for (const other of [1, ids[1]]) {
      const path = `/api/v1/deployments/${other}`;
      expect(await send('GET', path, `Bearer ${token}`)).toMatchObject({ status: 404 });
      expect(await send('POST', `${path}/token`, `Bearer ${token}`, {})).toMatchObject({ status: 404 });
    }
  });

  it('never use production instead of an unknown or broken branch', async () => {
    const [id] = ids;
    for (const deploymentId of [1, id]) {
      const grant = { deploymentId, externalId: 'ann', branchName: 'missing' };
      const minted = await send('POST', '/api/v1/embed/generate-session', `Bearer ${adminKey}`, grant);
      expect(minted).toMatchObject({ status: 404 });
    }
    await ok('POST', build(id, 'branches'), { name: 'broken' });
    const token = await tokenOf(id, 'broken');
    expect(await rowsOf(id, token)).toEqual(row('second', 20));
    await writeModel(id, 'broken', 'cubes:\n  - name: orders\n    sql_tabel: orders\n');
    expect(await rowsOf(id, token)).toMatchObject({ status: 409, error: expect.stringContaining('broken') });
    const validation = await ok('GET', build(id, 'data-model/validate?branchName=broken'));
    expect(validation).toMatchObject({ valid: false, branchName: 'broken' });
    expect(validation.errors[0]).toMatchObject({ fileName: 'model/orders.yml', line: expect.any(Number) });
    await ok('POST', build(id, 'commit'), { branchName: 'broken' });
    const merge = { branchName: 'broken', message: 'm' };
    const merged = await send('POST', build(id, 'merge-to-default'), `Bearer ${adminKey}`, merge);
    expect(merged).toMatchObject({ status: 409 });
    await ok('DELETE', build(id, 'branches?branchName=broken'));
    expect(await rowsOf(id, token)).toMatchObject({ status: 404 });
    expect(await rowsOf(id, await tokenOf(id))).toEqual(row('second', 20));
  });

  it('answer chats with the model of their branch, and name it', async () => {
    const [id] = ids;
    const branchName = 'chat';
    await ok('POST', build(id, 'branches'), { name: branchName });
    await writeModel(id, branchName, modelText('amount * 11'));
    const [agent] = (await ok('GET', `/api/v1/deployments/${id}/agents`)).items;
    const ask = async (activeBranchName?: string) => {
      const request = new Request(`${publicUrl}/api/v1/public/local/agents/${agent.id}/chat/stream-chat-state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Api-Key ${adminKey}` },
        body: JSON.stringify({ input: 'total by shop', sessionSettings: { externalId: 'ann' }, activeBranchName }),
      });
      const response = await platform.fetch(request);
      const text = await response.text();
      if (response.status !== 200) return { status: response.status, text };
      const state = JSON.parse(text.split('\n')[0] ?? '').state;
      return { branch: state.branchName, header: response.headers.get('x-branch-name'), text };
    };
    expect(await ask()).toEqual({ branch: undefined, header: null, text: expect.stringMatching(/\D20\D/) });
    const expected = { branch: branchName, header: branchName, text: expect.stringMatching(/\D220\D/) };
    expect(await ask(branchName)).toEqual(expected);
    await writeModel(id, branchName, modelText('amount * 12'));
    expect(await ask(branchName)).toEqual({ ...expected, text: expect.stringMatching(/\D240\D/) });
    await writeModel(id, branchName, 'cubes:\n  - name: orders\n    sql_tabel: orders\n');
    expect(await ask(branchName)).toEqual({ status: 409, text: expect.stringContaining(branchName) });
    expect(await ask('missing')).toEqual({ status: 404, text: expect.stringContaining('Branch') });
    await ok('DELETE', build(id, `branches?branchName=${branchName}`));
    expect(await ask(branchName)).toMatchObject({ status: 404 });
  });

  it('list the published reports that a branch would break', async () => {
    const [id, other] = ids;
    const content = `/api/v1/deployments/${id}`;
    const publish = async (name: string, query: object) => {
      const { id: workbookId } = await ok('POST', `${content}/workbooks`, { name });
      const { id: reportId } = await ok('POST', `${content}/reports`, { name, jsonQuery: JSON.stringify(query) });
      const widgets = [{ id: 'chart', type: 'CHART', position: { x: 0, y: 0, w: 4, h: 3 }, config: { reportId } }];
      const { publicId } = await ok('POST', `${content}/workbooks/${workbookId}/publish`, { config: { widgets } });
      return { dashboardPublicId: publicId, reportId };
    };
    const total = await publish('total', { measures: ['orders.total'] });
    const filters = [{ or: [{ member: 'orders.shop', operator: 'set' }] }];
    const shops = await publish('shops', { measures: ['orders.total'], filters });
    await ok('POST', build(id, 'branches'), { name: 'renames' });
    const validate = () => ok('GET', build(id, 'data-model/validate?branchName=renames'));
    expect(await validate()).toMatchObject({ valid: true, brokenReports: [] });
    await writeModel(id, 'renames', modelText('amount').replace('name: shop', 'name: store'));
    expect(await validate()).toMatchObject({ valid: true, brokenReports: [{ ...shops, members: ['orders.shop'] }] });
    await writeModel(id, 'renames', modelText('amount').replace('name: total', 'name: sum'));
    const broken = [total, shops].map(report => ({ ...report, members: ['orders.total'] }));
    expect((await validate()).brokenReports).toEqual(broken);
    await writeModel(id, 'renames', 'cubes: {}\n');
    expect((await validate()).brokenReports).toBeUndefined();
    expect(await ok('GET', build(other, 'data-model/validate'))).toMatchObject({ brokenReports: [] });
  });

  it('serve a branch at its own address, to tokens of the branch only, while its staging environment is on', async () => {
    const [id] = ids;
    const branchName = 'fix/staged';
    await ok('POST', build(id, 'branches'), { name: branchName });
    await writeModel(id, branchName, modelText('amount * 3'));
    const tokenPath = `/api/v1/deployments/${id}/token`;
    const { platformApiToken: branchToken } = await ok('POST', tokenPath, { branchName });
    const production = await tokenOf(id);
    const address = `/deployments/${id}/dev-mode/fix%2Fstaged/data-api/v1/load`;
    const load = async (path: string, token: string) => {
      const { status, body } = await send('POST', path, token, { query });
      return status === 200 ? body.data : status;
    };
    expect(await load(address, branchToken)).toBe(404);
    await ok('PUT', build(id, 'branches/staging-environment'), { branchName, enabled: true });
    const [staging] = (await ok('GET', `/api/v1/deployments/${id}/environments?type=staging`)).items;
    expect(staging).toMatchObject({
      branch: branchName,
      api_credentials: [{ url: `${publicUrl}${address.slice(0, -5)}` }],
    });
    const environmentPath = `/api/v1/deployments/${id}/environments/${staging.id}/tokens`;
    const { data: created } = await ok('POST', environmentPath, { security_context: {} });
    for (const token of [branchToken, created.token]) {
      expect(await load(address, token)).toEqual(row('second', 60));
      expect(await load(`${addressOf(id)}/load`, token)).toEqual(row('second', 60));
    }
    expect(await load(address, production)).toBe(403);
    expect(await load(address.replace('staged', 'other'), branchToken)).toBe(403);
    const request = new Request(`${publicUrl}${addressOf(id)}/meta`, { headers: { authorization: branchToken } });
    expect((await platform.fetch(request)).headers.get('x-branch-name')).toBe(branchName);
    const embedded = { externalId: 'ann', deploymentId: id };
    const { sessionId } = await ok('POST', '/api/v1/embed/generate-session', embedded);
    const { token } = await ok('POST', '/api/v1/embed/session/token', { sessionId });
    expect(await send('POST', tokenPath, `Bearer ${token}`, { branchName })).toMatchObject({ status: 403 });
    for (const [deployment, name] of [
      [id, 'missing'],
      [1, branchName],
    ] as const) {
      const path = `/api/v1/deployments/${deployment}/token`;
      expect(await send('POST', path, `Bearer ${adminKey}`, { branchName: name })).toMatchObject({ status: 404 });
    }
    // Tokens of an environment end with it. Switching it on again creates another one.
    for (const enabled of [false, true]) {
      await ok('PUT', build(id, 'branches/staging-environment'), { branchName, enabled });
      expect(await load(`${addressOf(id)}/load`, created.token)).toBe(404);
      expect(await load(`${addressOf(id)}/load`, branchToken)).toEqual(row('second', 60));
    }
    expect(await load(address, branchToken)).toEqual(row('second', 60));
    // Without a staging environment, the address is served while a user works on the branch.
    await ok('PUT', build(id, 'branches/staging-environment'), { branchName, enabled: false });
    expect(await load(address, branchToken)).toBe(404);
    await ok('POST', build(id, 'dev-mode'), { branchName });
    const [development] = (await ok('GET', `/api/v1/deployments/${id}/environments?type=development`)).items;
    const tokensPath = `/api/v1/deployments/${id}/environments/${development.id}/tokens`;
    const { data: developer } = await ok('POST', tokensPath, { security_context: {} });
    for (const token of [branchToken, developer.token]) expect(await load(address, token)).toEqual(row('second', 60));
    await ok('DELETE', build(id, 'dev-mode'));
    for (const token of [branchToken, developer.token]) expect(await load(address, token)).toBe(404);
    await ok('POST', build(id, 'dev-mode'), { branchName });
    expect(await load(address, developer.token)).toBe(404);
    await ok('DELETE', build(id, `branches?branchName=${encodeURIComponent(branchName)}`));
    expect(await load(address, branchToken)).toBe(404);
    expect((await ok('GET', `/api/v1/deployments/${id}/environments?type=staging`)).items).toEqual([]);
  });

  it('do not run SQL of a hostile model', async () => {
    const [id] = ids;
    await ok('POST', build(id, 'branches'), { name: 'hostile' });
    const token = await tokenOf(id, 'hostile');
    const path = join(folder, 'sources', 'orders.csv');
    for (const sql of [`(SELECT 1 FROM read_csv('${path}'))`, `(SELECT 1 FROM '${path}')`, "length(getenv('PATH'))"]) {
      await writeModel(id, 'hostile', modelText(sql));
      const rows = await rowsOf(id, token);
      expect(rows).toMatchObject({ status: 500 });
      expect(JSON.stringify(rows)).not.toMatch(/folder|read_csv|getenv/);
      const validation = await ok('GET', build(id, 'data-model/validate?branchName=hostile'));
      expect(validation).toMatchObject({
        valid: false,
        errors: [{ message: expect.stringMatching(/not (allowed|a table)/) }],
      });
    }
    const large = (name: string) => ({
      branchName: 'hostile',
      files: [{ path: `model/${name}.yml`, content: 'é'.repeat(450_000) }],
    });
    for (const name of ['a', 'b']) await ok('PUT', build(id, 'data-model/files'), large(name));
    expect(await send('PUT', build(id, 'data-model/files'), `Bearer ${adminKey}`, large('c'))).toMatchObject({
      status: 400,
      body: { message: 'The model files of a branch can have at most 2 MB in total.' },
    });
  });

  it('use the environment variables of their own deployment, and recompile when one changes', async () => {
    const [second, third] = ids;
    const model = modelText(`amount * {{ env_var('FACTOR') }}`);
    await setVariables(1, { FACTOR: '1000' });
    await setVariables(second, { FACTOR: '2' });
    await setVariables(third, { ONLY_THIRD: '3' });
    for (const id of [second, third]) {
      await ok('POST', build(id, 'branches'), { name: 'variables' });
      await writeModel(id, 'variables', model);
    }
    const token = await tokenOf(second, 'variables');
    const other = await tokenOf(third, 'variables');
    expect(await rowsOf(second, token)).toEqual(row('second', 40));
    expect(await rowsOf(third, other)).toMatchObject({ status: 409 });
    const [{ errors }, foreign] = await Promise.all([
      ok('GET', build(third, 'data-model/validate?branchName=variables')),
      (async () => {
        await writeModel(second, 'variables', model.replace('FACTOR', 'ONLY_THIRD'));
        return ok('GET', build(second, 'data-model/validate?branchName=variables'));
      })(),
    ]);
    const unset = (name: string) => ({
      fileName: 'model/orders.yml',
      line: 10,
      message: `the environment variable ${name} is not set`,
    });
    expect(errors).toEqual([expect.objectContaining(unset('FACTOR'))]);
    expect(foreign.errors).toEqual([expect.objectContaining(unset('ONLY_THIRD'))]);
    await deploy(second, model);
    await writeModel(second, 'variables', model);
    const production = await tokenOf(second);
    expect(await rowsOf(second, production)).toEqual(row('second', 40));
    await setVariables(third, { FACTOR: '5' });
    await eventually(async () => expect(await rowsOf(third, other)).toEqual(row('third', 1500)));
    await setVariables(second, { FACTOR: '7', DB_SECRET: 'x' });
    for (const each of [token, production])
      await eventually(async () => expect(await rowsOf(second, each)).toEqual(row('second', 140)));
    expect(await sqlRowsOf(second, production, 'SELECT MEASURE(total) FROM orders')).toContain('140');
    const variable = `${publicUrl}/api/v1/deployments/${second}/env-vars/FACTOR`;
    const request = { method: 'DELETE', headers: { authorization: `Bearer ${adminKey}` } };
    expect(await platform.fetch(new Request(variable, request))).toMatchObject({ status: 204 });
    await eventually(async () => expect(await rowsOf(second, production)).toMatchObject({ status: 409 }));
    expect(await rowsOf(third, other)).toEqual(row('third', 1500));
    await setVariables(second, { FACTOR: '1' });
    await eventually(async () => expect(await rowsOf(second, production)).toEqual(row('second', 20)));
  });

  it('run no SQL of a hostile value, and show no value', async () => {
    const [id] = ids;
    const branchName = 'hostile-values';
    await ok('POST', build(id, 'branches'), { name: branchName });
    const token = await tokenOf(id, branchName);
    const use = `{{ env_var('HOSTILE') }}`;
    const model = (sql: string, table = 'sql_table: orders') =>
      modelText('amount')
        .replace('sql_table: orders', table)
        .replace('sql: shop', `sql: ${JSON.stringify(sql)}`);
    const seen: string[] = [];
    const validate = async () => {
      const { valid, errors } = await ok('GET', build(id, `data-model/validate?branchName=${branchName}`));
      seen.push(JSON.stringify(errors));
      return valid ? 'valid' : String(errors[0]?.message);
    };
    const read = async () => {
      const rows = await rowsOf(id, token);
      if (!Array.isArray(rows)) seen.push(JSON.stringify(rows));
      return Array.isArray(rows) ? rows.map(each => each['orders.shop']) : Reflect.get(Object(rows), 'status');
    };
    // Within quotes, a value is text. Elsewhere, it is a word, which is checked like other SQL of the model.
    const text = `o'clock"; DROP TABLE orders; -- {{ env_var('X') }} {orders.total} % $1 pa_env_`;
    const cases: readonly (readonly [value: string, model: string, validation: unknown, rows: unknown])[] = [
      [text, model(`'${use}'`), 'valid', [text]],
      [text, model(use), expect.stringMatching(/^the value of the environment variable HOSTILE must consist/), 409],
      ['a\nshop: evil', model(`'${use}'`), expect.stringMatching(/must not contain backslashes or control/), 409],
      ['a\\', model(`'${use}'`), expect.stringMatching(/must not contain backslashes or control/), 409],
      ['Evil_Secrets', model('shop', `sql_table: "${use}"`), `Unknown table ${use}. Tables: orders`, 409],
      ['Evil.Secrets', model('shop', `sql: "SELECT * FROM ${use}"`), expect.stringContaining('not a table'), 500],
      ['Evil_Secrets', model(`(SELECT max(shop) FROM ${use})`), expect.stringContaining('not a table'), 500],
      ['Evil_Secrets', model(`${use}(shop)`), expect.stringContaining(`the function ${use} is not allowed`), 500],
      ['Evil-Secrets', model(`x${use}(shop)`), expect.stringMatching(/must consist of letters/), 409],
      ['Evil_Secrets', model(`shop || x${use}y`), expect.stringContaining(`x${use}y`), 500],
      ['Evil-Secrets', model(`CAST('x${use}y' AS INT)`), expect.anything(), 400],
      ['Evil-Secrets', model(`nofunction('${use}')`), expect.stringContaining('not allowed'), 500],
    ];
    for (const [value, content, validation, rows] of cases) {
      await setVariables(id, { HOSTILE: value });
      await writeModel(id, branchName, content);
      await eventually(async () => expect(await validate(), `${value} ${content}`).toEqual(validation));
      expect(await read(), `${value} ${content}`).toEqual(rows);
    }
    const { platformApiToken: authorization } = await ok('POST', `/api/v1/deployments/${id}/token`, { branchName });
    const headers = { authorization };
    await setVariables(id, { HOSTILE: 'Evil-Secrets', SHOP_TOKEN: 'Evil-Masked' });
    await writeModel(id, branchName, model(`'${use}'`));
    await eventually(async () => expect(await read()).toEqual(['Evil-Secrets']));
    const shown = `query=${encodeURIComponent(JSON.stringify(query))}`;
    for (const path of ['meta', `sql?${shown}`, `dry-run?${shown}`]) {
      const response = await platform.fetch(new Request(`${publicUrl}${addressOf(id)}/${path}`, { headers }));
      expect(response.status).toBe(200);
      seen.push(await response.text());
      if (path.startsWith('sql')) expect(seen.at(-1)).toContain(use);
    }
    for (const path of ['diff?withPatch=true', 'files?withContent=true'])
      seen.push(JSON.stringify(await ok('GET', build(id, `data-model/${path}&branchName=${branchName}`))));
    await writeModel(id, branchName, model(`'{{ env_var('SHOP_TOKEN') }}'`));
    expect(await validate()).toMatch(/^the environment variable SHOP_TOKEN is masked/);
    await writeModel(id, branchName, model('shop').replace('group: "*"', `group: "${use}"`));
    expect(await validate()).toMatch(/^environment variables can be used only in sql and sql_table/);
    expect(JSON.stringify([seen, problems])).not.toMatch(/evil|secrets|masked"|pa_env_[0-9a-f]/i);
  });

  it('cannot be changed or deleted by a session of an administrator, and obey their settings', async () => {
    const [id] = ids;
    const { username } = await ok('GET', '/api/v1/users/me');
    const { sessionId } = await ok('POST', '/api/v1/embed/generate-session', {
      deploymentId: id,
      internalId: username,
    });
    const { token } = await ok('POST', '/api/v1/embed/session/token', { sessionId });
    const commit = await send('POST', build(id, 'commit'), `Bearer ${token}`, { branchName: 'any' });
    expect(commit).toMatchObject({ status: 403 });
    expect(await send('DELETE', `/api/v1/deployments/${id}`, `Bearer ${token}`)).toMatchObject({ status: 403 });
    await ok('PUT', `/api/v1/deployments/${id}`, { deployBranchMergeAllowed: false });
    const merge = { branchName: 'any', message: 'm' };
    const merged = await send('POST', build(id, 'merge-to-default'), `Bearer ${adminKey}`, merge);
    expect(merged).toMatchObject({ status: 409, body: { message: expect.stringContaining('do not allow merges') } });
    await ok('PUT', `/api/v1/deployments/${id}`, { deployBranchMergeAllowed: true });
  });

  it('use uploaded tables immediately, and never those of another deployment', async () => {
    const [second, third] = ids;
    const token = await tokenOf(second);
    expect(await rowsOf(second, token)).toEqual(row('second', 20));
    const form = new FormData();
    form.append('file', new File(['shop,amount\nuploaded,7\n'], 'Orders.csv'));
    const headers = { authorization: `Bearer ${adminKey}` };
    const request = { method: 'POST', headers, body: form };
    const response = await platform.fetch(new Request(`${publicUrl}${build(second, 'tables/preview')}`, request));
    const { uploadId, table } = await response.json();
    expect(table).toBe('orders');
    const wrong = { uploadId, table: 'sales', mode: 'create' };
    expect(await send('POST', build(third, 'tables'), `Bearer ${adminKey}`, wrong)).toMatchObject({ status: 404 });
    await ok('POST', build(second, 'tables'), wrong);
    await ok('POST', build(second, 'branches'), { name: 'sales' });
    await ok('POST', build(third, 'branches'), { name: 'sales' });
    const sales = modelText('amount').replace('sql_table: orders', 'sql_table: sales');
    for (const id of [second, third]) await writeModel(id, 'sales', sales);
    expect(await rowsOf(second, await tokenOf(second, 'sales'))).toEqual(row('uploaded', 7));
    await ok('POST', build(second, 'branches'), { name: 'generated' });
    const generated = { branchName: 'generated', tables: ['sales'], allowAll: true };
    const { files } = await ok('POST', build(second, 'data-model/generate'), generated);
    expect(files).toMatchObject([{ path: 'model/sales.yml', content: expect.stringContaining('total_amount') }]);
    expect(await ok('GET', build(second, 'data-model/validate?branchName=generated'))).toMatchObject({ valid: true });
    const again = await send('POST', build(second, 'data-model/generate'), `Bearer ${adminKey}`, generated);
    expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('model/sales.yml') } });
    const unknown = { ...generated, tables: ['third_table'] };
    expect(await send('POST', build(second, 'data-model/generate'), `Bearer ${adminKey}`, unknown)).toMatchObject({
      status: 400,
    });
    const validation = await ok('GET', build(third, 'data-model/validate?branchName=sales'));
    expect(validation).toMatchObject({ valid: false, errors: [{ message: expect.stringContaining('sales') }] });
    const removed = new Request(`${publicUrl}${build(second, 'tables?table=sales')}`, { method: 'DELETE', headers });
    expect(await platform.fetch(removed)).toMatchObject({ status: 204 });
    const after = await ok('GET', build(second, 'data-model/validate?branchName=sales'));
    expect(after).toMatchObject({ valid: false });
    expect(await rowsOf(second, token)).toEqual(row('second', 20));
  });

  it('apply the content of a merge as the administrator who turned this on, all of it or none', async () => {
    const [id] = ids;
    const settings = (body: object) => ok('PUT', `/api/v1/deployments/${id}`, body);
    const runs = async () => (await ok('GET', `/api/v1/deployments/${id}/content-runs`)).items;
    /** Slugs of the workbooks that were applied. Workbooks of other tests have none. */
    const slugs = async (): Promise<string[]> =>
      (await ok('GET', `/api/v1/deployments/${id}/workbooks`)).items
        .map(({ slug }: { slug: string | null }) => slug)
        .filter((slug: string | null) => slug !== null);
    let merges = 0;
    /** Merges files, and returns the run of the merge. */
    const merge = async (files: Readonly<Record<string, string>>, removed: readonly string[] = []) => {
      const branchName = `content-${merges++}`;
      const before = (await runs()).length;
      await ok('POST', build(id, 'branches'), { name: branchName });
      await ok('PUT', build(id, 'data-model/files'), {
        branchName,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
        ...(removed.length > 0 && { removed: removed.map(path => ({ path })) }),
      });
      await ok('POST', build(id, 'commit'), { branchName });
      await ok('POST', build(id, 'merge-to-default'), { branchName, message: 'm', removeBranchAfterMerge: true });
      return vi.waitFor(
        async () => {
          const [run, ...older] = await runs();
          expect(older).toHaveLength(before);
          expect(run.completedAt).not.toBeNull();
          return { ...run, log: run.log.map(({ message }: { message: string }) => message) };
        },
        { timeout: 20_000, interval: 50 },
      );
    };
    const report = "name: Total\nquery: { measures: ['orders.total'] }\n";
    const board = 'name: Overview\npublish:\n  title: Overview\n  dashboard: { widgets: [] }\n';
    await ok('POST', build(id, 'branches'), { name: 'ignored' });
    await ok('PUT', build(id, 'data-model/files'), {
      branchName: 'ignored',
      files: [{ path: 'content/workbooks/early.yml', content: 'name: Early\n' }],
    });
    await ok('POST', build(id, 'commit'), { branchName: 'ignored' });
    await ok('POST', build(id, 'merge-to-default'), { branchName: 'ignored', message: 'm' });
    expect(await runs()).toEqual([]);

    expect(await settings({ applyContent: true })).toMatchObject({ applyContent: true, pruneContent: false });
    await vi.waitFor(async () => expect(await runs()).toMatchObject([{ status: 'COMPLETED' }]), { timeout: 20_000 });
    expect(await slugs()).toEqual(['early']);

    const files = { 'content/reports/Total0000001.yml': report, 'content/workbooks/overview.yml': board };
    const { contentUserId } = await settings({});
    expect(await merge(files)).toMatchObject({
      status: 'COMPLETED',
      userId: contentUserId,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      log: expect.arrayContaining(['workbook overview: written', expect.stringContaining('created')]),
    });
    expect((await slugs()).sort()).toEqual(['early', 'overview']);

    // A problem in one file: the merge stays, and nothing of the content is applied.
    const invalid = { 'content/workbooks/late.yml': 'name: Late\n', 'content/reports/Total0000001.yml': 'nam: x\n' };
    expect(await merge(invalid)).toMatchObject({
      status: 'FAILED',
      log: [expect.stringMatching(/^content\/reports\/Total0000001\.yml:1: /)],
    });
    // The platform rejects an object after it has accepted others of the same run.
    const rejected = board.replace(
      'widgets: []',
      'widgets: [{ id: a, type: CHART, config: { report: Missing00001 } }]',
    );
    expect(
      await merge({ 'content/reports/Total0000001.yml': report, 'content/workbooks/overview.yml': rejected }),
    ).toMatchObject({ status: 'FAILED' });
    expect((await slugs()).sort()).toEqual(['early', 'overview']);

    // Users who may merge must not be able to grant rights on the account.
    const roles =
      "roles: [{ name: Own, policies: [{ actions: [ReportRead], resourceType: Report, resources: ['All'] }] }]\n";
    expect(await merge({ 'content/workbooks/overview.yml': board, 'content/roles.yml': roles })).toMatchObject({
      status: 'FAILED',
      log: [expect.stringContaining('content/roles.yml:1: roles, groups and variables are not applied')],
    });
    const removed = ['content/roles.yml', 'content/workbooks/early.yml'];
    expect(await merge({ 'content/workbooks/late.yml': 'name: Late\n' }, removed)).toMatchObject({
      status: 'COMPLETED',
    });
    expect((await slugs()).sort()).toEqual(['early', 'late', 'overview']);
    await settings({ pruneContent: true });
    expect(await merge({ 'README.md': 'Text' })).toMatchObject({
      status: 'COMPLETED',
      log: expect.arrayContaining(['workbook early: removed']),
    });
    expect((await slugs()).sort()).toEqual(['late', 'overview']);
    await settings({ applyContent: null, pruneContent: null });
  }, 120_000);

  it('leave the folder deployment to its folder, and do not serve a deleted deployment', async () => {
    for (const [method, path, body] of [
      ['GET', build(1, 'branches'), undefined],
      ['POST', build(1, 'branches'), { name: 'x' }],
      ['DELETE', '/api/v1/deployments/1', undefined],
    ] as const)
      expect(await send(method, path, `Bearer ${adminKey}`, body), path).toMatchObject({ status: 409 });
    const [, id] = ids;
    const token = await tokenOf(id);
    expect(await rowsOf(id, token)).toEqual(row('third', 300));
    await ok('DELETE', `/api/v1/deployments/${id}`);
    expect(await rowsOf(id, token)).toMatchObject({ status: 404 });
    expect(await send('GET', build(id, 'branches'), `Bearer ${adminKey}`)).toMatchObject({ status: 404 });
  });
});
