import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChartErrorCode } from '../../src/charts/chart-error.js';
import { ChatEndCode } from '../../src/contract/chat-terms.js';
import { exportFailures } from '../../src/contract/dashboard-exports.js';
import { ErrorCode } from '../../src/contract/error-code.js';
import { type AuthenticateData, createAuthenticateData } from '../../src/platform/auth/authenticate.js';
import { dataRoutes } from '../../src/platform/data/data-routes.js';
import { createDataService } from '../../src/platform/data/data-service.js';
import { testTokens as tokens } from '../platform/auth/test-tokens.js';
import { caller } from '../platform/data/callers.js';
import { fakeEngine, fakeModel } from '../platform/data/fakes.js';
import { openTestDatabase } from '../platform/db/test-database.js';

// Clients compare these strings byte for byte. Never reword them.

let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.stop());

function startDataApi(authenticate: AuthenticateData = createAuthenticateData({ db: database.db, tokens })) {
  const { engine, runs } = fakeEngine();
  const service = createDataService({ engine, model: { current: fakeModel }, continueWaitMs: 1 });
  return { app: dataRoutes({ service, authenticate, onFailure: () => {}, onQuery: () => {} }), runs };
}

const path = `/v1/load?query=${encodeURIComponent('{"measures":["t.count"]}')}`;

it('returns 403 and "Authorization header isn\'t set" without a token', async () => {
  const response = await startDataApi().app.request(path);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: "Authorization header isn't set" });
});

it('returns 403 and "Invalid token" for an invalid token', async () => {
  const response = await startDataApi().app.request(path, { headers: { authorization: 'x' } });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: 'Invalid token' });
});

it('returns 200 and "Continue wait" for a query that is still running', async () => {
  const { app, runs } = startDataApi(async () => ({ securityContext: caller() }));
  const response = await app.request(path);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ error: 'Continue wait' });
  for (const run of runs) run.finish();
});

it('returns the documented error codes', () => {
  expect(Object.values(ErrorCode)).toEqual([
    'upsert_branch_changed',
    'slug_taken',
    'ambiguous_legacy_id',
    'no_load_query',
    'draft_changed',
    'checksum_conflict',
    'file_conflict',
    'merge_conflict',
  ]);
  expect(exportFailures).toEqual([
    'export_failed',
    'export_too_large',
    'export_too_slow',
    'export_dashboard_gone',
    'export_widget_unknown',
    'export_no_model',
  ]);
});

it('ends chat streams with the documented codes', () => {
  expect(Object.values(ChatEndCode)).toEqual(['chat_aborted', 'chat_suspended']);
});

it('rejects charts with the documented codes', () => {
  expect(Object.values(ChartErrorCode)).toEqual([
    'chart_spec_unreadable',
    'chart_spec_too_large',
    'chart_spec_loads',
    'chart_spec_invalid',
    'chart_unsupported',
    'chart_field_unknown',
    'chart_too_much',
    'chart_failed',
  ]);
});
