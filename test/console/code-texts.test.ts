import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anyone } from '../../src/console/audience.js';
import { type CodeInput, toElement, toFetch, toYaml } from '../../src/console/code-texts.js';

const hostile = `it's --> --!> "new"\\\n\r\u2028\u202e</script>`;
const query = {
  measures: ['orders.count'],
  filters: [{ member: 'orders.status', operator: 'equals' as const, values: [hostile, null] }],
  limit: 10,
};
const input: CodeInput = {
  title: 'Count by Date: all',
  query,
  chart: { mark: 'bar', encoding: { x: { field: 'orders\\.at', title: null } } },
  audience: { ...anyone, securityContext: { tenant: 'acme' } },
  deploymentId: 1,
  baseUrl: 'https://analytics.example.com',
  dataApiPath: '/data-api',
};

describe('YAML', () => {
  it('is a report with the same query and chart', () => {
    expect(parse(toYaml(input))).toEqual({
      name: 'Count by Date: all',
      query,
      meta: { kind: 'vega', spec: input.chart },
    });
    expect(parse(toYaml({ ...input, chart: null })).meta).toEqual({ kind: 'table' });
  });
});

describe('fetch', () => {
  /** Runs the program with a `fetch` that records requests. Returns the requests and the output of the program. */
  async function run(program: string) {
    const requests: { path: string; authorization: string | undefined; body: unknown }[] = [];
    const printed: unknown[] = [];
    const responses: Readonly<Record<string, object>> = {
      '/api/v1/embed/generate-session': { sessionId: 'the-session' },
      '/api/v1/embed/session/token': { token: 'the-embed-token' },
      '/api/v1/deployments/1/token': { platformApiToken: 'the-data-token' },
    };
    const fetch = async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
      const path = url.replace(input.baseUrl, '');
      requests.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
      const loads = requests.filter(request => request.path === '/data-api/v1/load').length;
      const rows = loads === 1 ? { error: 'Continue wait' } : { data: [{ count: '3' }] };
      return { ok: true, json: async () => responses[path] ?? rows };
    };
    const context = {
      fetch,
      process: { env: { PA_ADMIN_KEY: 'the-key' } },
      console: { log: (value: unknown) => printed.push(value) },
    };
    await runInNewContext(`(async () => {${program}\n})()`, context);
    return { requests, printed };
  }

  it('runs the query in a session of the audience, until the rows are there', async () => {
    const { requests, printed } = await run(toFetch(input));
    const load = { path: '/data-api/v1/load', authorization: 'the-data-token', body: { query } };
    expect(requests).toEqual([
      {
        path: '/api/v1/embed/generate-session',
        authorization: 'Bearer the-key',
        body: { deploymentId: 1, externalId: 'user-17', securityContext: { tenant: 'acme' } },
      },
      { path: '/api/v1/embed/session/token', authorization: undefined, body: { sessionId: 'the-session' } },
      { path: '/api/v1/deployments/1/token', authorization: 'Bearer the-embed-token', body: {} },
      load,
      load,
    ]);
    expect(printed).toEqual([[{ count: '3' }]]);
  });

  it('needs no session for a viewer without a context', async () => {
    const { requests } = await run(toFetch({ ...input, audience: anyone }));
    expect(requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/api/v1/deployments/1/token', 'Bearer the-key'],
      ['/data-api/v1/load', 'the-data-token'],
      ['/data-api/v1/load', 'the-data-token'],
    ]);
  });
});

describe('HTML', () => {
  it('is one comment without characters that hide or reorder code', () => {
    const html = toElement({ ...input, title: hostile, chart: { [hostile]: 1, ['__proto__']: 2 } });
    expect(html.match(/--!?>/g)).toEqual(['-->']);
    expect(html).not.toMatch(/[\r\u2028\p{Cf}]/u);
    const script = /<!-- report\.js\n(.*)-->/s.exec(html)?.[1] ?? '';
    const report: { snapshot?: { spec?: object } } = {};
    runInNewContext(script, { document: { querySelector: () => report } });
    expect(Object.keys(report.snapshot?.spec ?? {})).toEqual([hostile, '__proto__']);
  });

  it('sets a snapshot with the query and the chart', () => {
    const script = /<!-- report\.js\n(.*)-->/s.exec(toElement(input))?.[1] ?? '';
    const report: { snapshot?: unknown } = {};
    runInNewContext(script, { document: { querySelector: (id: string) => (id === '#report' ? report : null) } });
    expect(report.snapshot).toEqual({
      title: input.title,
      kind: 'vega',
      spec: input.chart,
      meta: { jsonQuery: query },
    });
  });
});
