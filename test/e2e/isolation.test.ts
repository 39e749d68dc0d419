import { beforeAll, describe, expect, inject, it } from 'vitest';
import { referenceFor } from './reference.js';

// What a tenant's own token can be made to say, by whoever holds it and writes the requests by hand.

const demo = inject('demo');
const airport = { ohare: 'ORD', dallas: 'DFW', atlanta: 'ATL' } as const;
type Tenant = keyof typeof airport;

interface Access {
  readonly platformUrl: string;
  readonly dashboard: string;
  readonly embedToken: string;
  readonly dataToken: string;
}

type Json = Record<string, unknown>;

async function json(url: string, init: RequestInit = {}): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function signIn(tenant: Tenant): Promise<Access> {
  const { body: config } = await json(`${demo}/api/config`);
  const platformUrl = String(config.platformUrl);
  const { body: session } = await json(`${demo}/api/embed-session`, post({}, { cookie: `tenant=${tenant}` }));
  const { body: exchanged } = await json(
    `${platformUrl}/api/v1/embed/session/token`,
    post({ sessionId: session.sessionId }),
  );
  const embedToken = String(exchanged.token);
  const { body: data } = await json(
    `${platformUrl}/api/v1/deployments/1/token`,
    post({}, { authorization: `Bearer ${embedToken}` }),
  );
  return { platformUrl, dashboard: String(config.dashboard), embedToken, dataToken: String(data.platformApiToken) };
}

const load = (access: Access, query: unknown): Promise<{ status: number; body: Json }> =>
  json(`${access.platformUrl}/data-api/v1/load`, post({ query }, { authorization: access.dataToken }));

const count = 'departures.count';
const origin = 'departures.origin';
const rowsOf = (body: Json): Record<string, string>[] => (Array.isArray(body.data) ? body.data : []);

describe.each(Object.keys(airport) as Tenant[])('a token of %s', tenant => {
  let access: Access;
  beforeAll(async () => {
    access = await signIn(tenant);
  });

  it('counts its own flights and no more', async () => {
    const { body } = await load(access, { measures: [count] });
    expect(Number(rowsOf(body)[0]?.[count])).toBe((await referenceFor(airport[tenant])).flights);
  });

  it('knows no other airport of departure', async () => {
    const { body } = await load(access, { dimensions: [origin], measures: [count], limit: 50_000 });
    expect(rowsOf(body).map(row => row[origin])).toEqual([airport[tenant]]);
  });

  it.each([
    { member: origin, operator: 'notEquals', values: [airport[tenant]] },
    {
      or: [
        { member: origin, operator: 'set' },
        { member: origin, operator: 'equals', values: ['LAX'] },
      ],
    },
    { member: origin, operator: 'contains', values: ["' OR 1=1 --"] },
  ])('can ask for more and gets nothing of it: %j', async filter => {
    const { body } = await load(access, { dimensions: [origin], measures: [count], filters: [filter] });
    for (const row of rowsOf(body)) expect(row[origin]).toBe(airport[tenant]);
  });

  it.each([
    { measures: ['flights.count'] },
    { dimensions: ['flights.origin'] },
    { dimensions: ['airports.iata'] },
    { measures: [count], subqueryJoins: [{ sql: 'SELECT 1', on: '1=1', joinType: 'LEFT', alias: 'x' }] },
    { measures: [count], timeDimensions: [{ dimension: 'departures.date', granularity: '__proto__' }] },
    { measures: ['departures.__proto__'] },
    { measures: [{ expression: 'return 1' }] },
  ])('is refused what is hidden or no query: %j', async query => {
    const { status, body } = await load(access, query);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/securityContext|origin = /);
  });

  it('opens no other door', async () => {
    const bearer = { authorization: `Bearer ${access.embedToken}` };
    const minted = await json(
      `${access.platformUrl}/api/v1/embed/generate-session`,
      post({ deploymentId: 1, externalId: 'x' }, bearer),
    );
    expect(minted.status).toBe(403);
    const swapped = await json(`${access.platformUrl}/data-api/v1/meta`, {
      headers: { authorization: access.embedToken },
    });
    expect(swapped.status).toBe(403);
    const turned = await json(`${access.platformUrl}/api/v1/deployments/1`, {
      headers: { authorization: `Bearer ${access.dataToken}` },
    });
    expect(turned.status).toBe(401);
  });
});

describe('the host', () => {
  it('mints nothing for somebody who is not signed in', async () => {
    expect((await json(`${demo}/api/embed-session`, post({}))).status).toBe(401);
  });

  it('mints nothing for another site', async () => {
    const headers = { cookie: 'tenant=ohare', origin: 'https://evil.example' };
    expect((await json(`${demo}/api/embed-session`, post({}, headers))).status).toBe(403);
  });

  it('hands out a session that works once', async () => {
    const { body: config } = await json(`${demo}/api/config`);
    const { body: session } = await json(`${demo}/api/embed-session`, post({}, { cookie: 'tenant=ohare' }));
    const exchange = (): Promise<{ status: number }> =>
      json(`${String(config.platformUrl)}/api/v1/embed/session/token`, post({ sessionId: session.sessionId }));
    const statuses = await Promise.all([exchange(), exchange(), exchange()]);
    expect(statuses.map(answer => answer.status).sort()).toEqual([200, 401, 401]);
  });
});
