import { describe, expect, it } from 'vitest';
import { readStream } from '../../src/client/chat/chat-endpoint.js';
import { sql } from '../../src/client/data/sql.js';
import { cube, cubeTable, type FieldRule, type Pair } from '../../src/client/dialect.js';
import { request } from '../../src/client/http/request.js';
import { createDeploymentToken, getDeployment } from '../../src/client/operations/deployments.js';
import { createSessionSource } from '../../src/client/session/session-source.js';
import type { ChatFrame } from '../../src/contract/chat.js';
import { operation } from '../../src/contract/operation.js';
import { createEmbedSession } from '../../src/node/create-embed-session.js';
import { operations } from '../../src/platform/http/operations.js';
import { FakeService, json, jwt, loadAnswer, publicId, query } from './fake-service.js';

/** A path of the contract that matches a rule. */
const samplePaths = [
  '/api/v1/deployments',
  '/api/v1/deployments/{deploymentId}',
  '/api/v1/deployments/{deploymentId}/token',
  '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  '/api/v1/deployments/{deploymentId}/logs',
  '/api/v1/deployments/{deploymentId}/reports',
  '/api/v1/roles',
  '/api/v1/deployments/{deploymentId}/xform-sync',
  '/api/v1/embed/generate-session',
  '/api/v1/public/{account}/{scope}/{scopeId}/chat/stream-chat-state',
];

function pathOf({ in: where }: FieldRule): string {
  const path = samplePaths.find(sample => where.test(sample));
  if (!path) throw new Error(`no path is like ${where}`);
  return path;
}

/** Returns a record with one field at the given path. */
function recordWith(at: string, name: string, value: unknown): unknown {
  const steps = at.replaceAll('[]', '.[]').split('.');
  const last = steps.at(-1) === '[]' ? steps : [...steps.slice(0, -1), name];
  return last.reduceRight<unknown>((inner, step) => (step === '[]' ? [inner] : { [step]: inner }), value);
}

const fieldPairs = cubeTable.fields.flatMap(rule => {
  const own = rule.at.split('.').at(-1) ?? rule.at;
  const values: readonly Pair[] = rule.values ?? [['as it is', 'as it is']];
  return values.map(([mine, theirs]) => ({
    rule,
    own: recordWith(rule.at, own, mine),
    theirs: recordWith(rule.at, rule.named ?? own, theirs),
  }));
});

describe('the table', () => {
  it.each(fieldPairs)('$rule.at: $own is $theirs, and back', ({ rule, own, theirs }) => {
    const path = pathOf(rule);
    expect(cube.send(path, own)).toEqual(theirs);
    expect(cube.read(path, theirs)).toEqual(own);
    expect(cube.read(path, cube.send(path, own))).toEqual(own);
    expect(cube.send(path, cube.read(path, theirs))).toEqual(theirs);
  });

  it.each(fieldPairs)('$rule.at is translated in pages too', ({ rule, own, theirs }) => {
    const path = pathOf(rule);
    const page = (record: unknown) => ({ items: [record, record], data: [record], pageInfo: {} });
    expect(cube.read(path, page(theirs))).toEqual(page(own));
    expect(cube.read(path, { data: theirs })).toEqual({ data: own });
  });

  it('has no duplicate names on either side of a rule', () => {
    const lists = [cubeTable.paths, cubeTable.segments, ...cubeTable.fields.map(rule => rule.values ?? [])];
    for (const pairs of lists) {
      expect(new Set(pairs.map(([own]) => own)).size).toBe(pairs.length);
      expect(new Set(pairs.map(([, theirs]) => theirs)).size).toBe(pairs.length);
    }
  });

  it('maps every operation to a unique path and preserves parameter names', () => {
    const paths = operations.map(({ path }) => path);
    const theirs = new Map(paths.map(path => [path, cube.path(path)]));
    expect(new Set(theirs.values()).size).toBe(theirs.size);
    for (const [own, other] of theirs) expect(other.match(/\{\w+\}/g)).toEqual(own.match(/\{\w+\}/g));
    expect(cube.path('/build/api/v1/deployments/{deploymentId}/repohost/connect')).toBe(
      '/build/api/v1/deployments/{deploymentId}/github/connect',
    );
    expect(cube.path('/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/logs')).toBe(
      '/api/v1/deployments/{deploymentId}/dbt-sync/{syncJobId}/logs',
    );
    expect(cube.path('/v1/sql')).toBe('/v1/cubesql');
  });
});

describe('content that is not translated', () => {
  const reports = '/api/v1/deployments/{deploymentId}/reports';

  it('names, slugs and free JSON of users, even if equal to a translated value', () => {
    const report = {
      name: 'ONLINE_SHEETS',
      title: 'repohost',
      source: 'D3',
      meta: { source: 'ONLINE_SHEETS', platformApiToken: 'x', creationStep: 'repohost' },
      jsonQuery: '{"source":"ONLINE_SHEETS"}',
    };
    expect(cube.send(reports, report)).toEqual(report);
    expect(cube.read(reports, report)).toEqual(report);
    const grant = { securityContext: { settings: { showGroupByPlatform: true }, platform: 1 } };
    expect(cube.send('/api/v1/embed/generate-session', grant)).toEqual(grant);
  });

  it.each([null, undefined, 'ONLINE_SHEETS', 7, [{ source: 'ONLINE_SHEETS' }]])('stays: %j', value => {
    expect(cube.send(reports, value)).toEqual(value);
  });

  it('path parameters of callers', async () => {
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async url => {
      seen.push(String(url));
      return json({});
    };
    const byName = operation({
      id: 'x',
      api: 'platform',
      method: 'GET',
      path: '/api/v1/xform-sync/{slug}',
      access: 'user',
      response: null,
      errors: {},
    });
    const params: unknown = { slug: 'xform-sync' };
    await request(byName, { baseUrl: 'https://a.example', fetch, dialect: cube, ...Object({ params }) });
    expect(seen).toEqual(['https://a.example/api/v1/dbt-sync/xform-sync']);
  });

  it('names of inherited object properties', () => {
    const named = { constructor: 'repohost', toString: 'x' };
    expect(cube.send('/api/v1/deployments', named)).toEqual(named);
  });
});

/** The fake services in the other dialect; unknown names return 404. */
class OtherService extends FakeService {
  constructor() {
    super();
    this.#rename('POST /data-api/v1/load', 'POST /cubejs-api/v1/load');
    this.routes.set('POST /api/v1/deployments/1/token', () => json({ cubeApiToken: this.nextDataToken() }));
    this.routes.set('GET /api/v1/deployments/1', () =>
      json({ id: 1, name: 'local', deploymentUrl: 'https://data.example/', creationStep: 'github' }),
    );
    this.routes.set('POST /cubejs-api/v1/cubesql', () => {
      const lines = [{ schema: [{ name: 'n', column_type: 'Int64' }] }, { data: [['1']] }];
      return new Response(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    });
  }

  override nextToken(): string {
    const iat = Math.floor(Date.now() / 1000);
    return jwt({ ...this.user, deploymentId: 1, settings: { showGroupByCube: false }, iat, exp: iat + this.lifetime });
  }

  #rename(from: string, to: string): void {
    const route = this.routes.get(from);
    this.routes.delete(from);
    if (route) this.routes.set(to, route);
  }
}

describe('a service with a dialect', () => {
  const baseUrl = 'https://tenant.example';

  it.each([['by name', 'cube'] as const, ['as a value', cube] as const])(
    'provides dashboard and rows to a session, with the dialect %s',
    async (_how, dialect) => {
      const service = new OtherService();
      const { fetch } = service;
      const source = createSessionSource({ baseUrl, sessionUrl: '/api/embed-session', fetch, dialect });
      const [board, rows, fromSql] = await Promise.all([
        source.getDashboard(publicId, {}),
        source.load(query, {}),
        source.sql('SELECT 1 AS n', {}),
      ]);
      expect(board.publicId).toBe(publicId);
      expect(rows.rows).toEqual(loadAnswer([{ 'flights.origin': 'ORD', 'flights.count': '3' }]).data);
      expect(fromSql.rows).toEqual([{ n: '1' }]);
      expect(source.settings).toEqual({ showGroupByPlatform: false });
      source.dispose();
    },
  );

  it('rejects an unknown dialect before consuming a session', async () => {
    const service = new OtherService();
    const options = { baseUrl, sessionUrl: '/api/embed-session', fetch: service.fetch };
    const source = createSessionSource({ ...options, ...Object({ dialect: 'cobol' }) });
    await source.start();
    expect(source.error).toMatchObject({ code: 'invalid_options' });
    expect(service.mints).toBe(0);
  });

  it('prefers an explicit Data API path over the path of the dialect', async () => {
    const service = new OtherService();
    const route = service.routes.get('POST /cubejs-api/v1/load');
    if (route) service.routes.set('POST /own/v1/load', route);
    const options = { baseUrl, sessionUrl: '/api/embed-session', fetch: service.fetch, dialect: cube };
    const source = createSessionSource({ ...options, dataApiPath: '/own' });
    await source.load(query, {});
    expect(service.to('/own/v1/load')).toHaveLength(1);
    source.dispose();
  });

  it('returns contract names from the typed client', async () => {
    const { fetch } = new OtherService();
    const platform = { baseUrl, token: 'key', fetch, dialect: cube };
    expect(await getDeployment(platform, 1)).toMatchObject({ creationStep: 'repohost' });
    const token = await createDeploymentToken(platform, 1);
    const rows = await sql(
      { baseUrl: 'https://data.example/cubejs-api', token, fetch, dialect: cube },
      'SELECT 1 AS n',
    );
    expect(rows.rows).toEqual([{ n: '1' }]);
  });

  it('creates sessions with the Node helper, and reserves its security context key', async () => {
    const service = new FakeService();
    const minted = () => json({ sessionId: '0'.repeat(32) });
    service.routes.set('POST /api/v1/embed/generate-session', minted);
    const options = { baseUrl, apiKey: 'key', fetch: service.fetch, dialect: cube };
    const grant = { deploymentId: 1, externalId: 'ann', settings: { showGroupByPlatform: true } };
    await createEmbedSession(options, grant);
    expect(service.seen[0]?.body).toEqual({ ...grant, settings: { showGroupByCube: true } });
    await expect(createEmbedSession(options, { ...grant, securityContext: { cubeCloud: {} } })).rejects.toMatchObject({
      code: 'invalid_grant',
      message: expect.stringContaining('cubeCloud'),
    });
  });

  it('translates tools and nodes of the chat, but not their content', async () => {
    const lines = [
      { id: '1', role: 'assistant', graphPath: ['cube_data_analyst_agent', 'tools'] },
      { id: '2', role: 'assistant', toolCall: { name: 'cubeMeta', input: '{"name":"cubeMeta"}' } },
      { id: '3', role: 'assistant', toolCall: { name: 'cubeSqlApiWithChart', input: '{}', result: '{}' } },
      { id: '4', role: 'assistant', toolCall: { name: 'ownTool', input: '{}' }, content: 'cubeMeta' },
      { id: '__usage__', type: 'usage' },
    ];
    const fetch = async () => new Response(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const frames: ChatFrame[] = [];
    const place = { account: 'a', scope: 'agents', scopeId: '1' } as const;
    const door = { baseUrl, place, authorization: 'Bearer x', fetch, dialect: cube };
    await readStream(door, { input: 'hi', messageId: '1-message' }, { onFrame: frame => frames.push(frame) });
    expect(frames.map(({ graphPath, toolCall }) => graphPath ?? toolCall?.name)).toEqual([
      ['data_analyst_agent', 'tools'],
      'modelMeta',
      'sqlApi',
      'ownTool',
      undefined,
    ]);
    expect(frames[1]?.toolCall?.input).toBe('{"name":"cubeMeta"}');
    expect(frames[3]?.content).toBe('cubeMeta');
  });
});
