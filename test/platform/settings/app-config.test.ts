import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../src/platform/db/schema.js';
import { accountConfig } from '../../../src/platform/settings/account-settings.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/app-config';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());
afterEach(async () => {
  await platform.db.update(accounts).set({ appConfig: {} });
});

const scheme = { accentColor: '#06c', backgroundColor: '#fff', contrast: 50, foregroundColor: '#000', logoUrl: '' };
const theme = { dark: scheme, light: scheme, logoUrl: 'https://example.com/logo.svg', palette: { contrastLevel: 60 } };
const put = (body: object, credential?: string) => platform.call('PUT', path, body, credential);

describe('app-config (spec 2.8, 4.5)', () => {
  test('returns the fields of the specification to every authenticated caller', async () => {
    const config = await platform.ok('GET', path, undefined, await platform.tokenOf());
    expect(config).toMatchObject({ appTheme: null, applyThemeGlobally: false, embedding: { locale: null } });
    expect(config.creatorMode).toMatchObject({ showGeneratedSql: true, showSemanticSql: true, localizedTitles: [] });
    expect(await platform.call('GET', path, undefined, '')).toMatchObject({ status: 401 });
  });

  test('returns whether the user of a session can download rows', async () => {
    const configOf = async (grant: object) =>
      (await platform.ok('GET', path, undefined, await platform.tokenOf(grant))).restrictDataDownload;
    expect([
      await configOf({}),
      await configOf({ roles: ['AIBIViewer'] }),
      await configOf({ creatorMode: true }),
    ]).toEqual([true, false, false]);
    await platform.ok('PUT', path, { restrictDataDownload: true });
    expect(await configOf({ roles: ['AIBIViewer'] })).toBe(true);
  });

  test('stores the keys that an administrator sets and returns defaults for the others', async () => {
    const localizedTitles = [{ locale: 'de', value: 'Arbeitsplatz' }];
    const changed = await platform.ok('PUT', path, { appTheme: theme, creatorMode: { localizedTitles } });
    expect(changed).toMatchObject({ appTheme: theme, creatorMode: { localizedTitles, showGeneratedSql: true } });
    await platform.ok('PUT', path, { embedding: { enableDashboardComments: true }, restrictDataDownload: true });
    const config = await platform.ok('GET', path);
    expect(config).toMatchObject({ appTheme: theme, creatorMode: { localizedTitles }, restrictDataDownload: true });
    expect(config.embedding).toMatchObject({ enableDashboardComments: true, allowAi: true });
    expect({ ...(await accountConfig(platform.db)), revision: config.revision }).toEqual(config);
  });

  test('a sent key replaces the previous value, and null restores the default', async () => {
    await platform.ok('PUT', path, { embedding: { locale: 'de', allowAi: false }, applyThemeGlobally: true });
    const config = await platform.ok('PUT', path, { embedding: { locale: 'fr' }, applyThemeGlobally: null });
    expect(config.embedding).toMatchObject({ locale: 'fr', allowAi: true });
    expect(config.applyThemeGlobally).toBe(false);
  });

  test('a change based on an earlier revision is rejected', async () => {
    const { revision } = await platform.ok('GET', path);
    const changed = await platform.ok('PUT', path, { embedding: { locale: 'de' }, revision });
    expect(changed.revision).not.toBe(revision);
    const late = await put({ embedding: { allowAi: false }, revision });
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('body.revision') } });
    expect(await platform.ok('GET', path)).toEqual(changed);
    const next = await platform.ok('PUT', path, { embedding: { locale: 'fr' }, revision: changed.revision });
    expect(next.embedding.locale).toBe('fr');
    // Pages of hosts do not change settings.
    expect(await platform.ok('GET', path, undefined, await platform.tokenOf())).not.toHaveProperty('revision');
  });

  test('requires an administrator to change, with any kind of credential', async () => {
    await platform.addUserKey('a-developer', 'AIBIDeveloper');
    const creator = await platform.tokenOf({ creatorMode: true });
    const internal = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    expect(await put({}, '')).toMatchObject({ status: 401 });
    expect(await put({}, 'a-developer')).toMatchObject({ status: 403 });
    expect(await put({}, creator)).toMatchObject({ status: 403 });
    expect(await put({}, internal)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ theme: {} }, 'body: '],
    [{ appTheme: { palette: {} } }, 'body.appTheme.dark'],
    [{ appTheme: { ...theme, logoUrl: 'javascript:alert(1)' } }, 'body.appTheme.logoUrl: must be an HTTPS URL'],
    [{ appTheme: { ...theme, palette: { contrastLevel: 101 } } }, 'body.appTheme.palette.contrastLevel'],
    [{ creatorMode: { localizedTitles: Array(51).fill({ locale: 'de', value: 'x' }) } }, 'body.creatorMode'],
    [{ creatorMode: { showSql: true } }, 'body.creatorMode'],
    [{ embedding: { timezone: 'Mars/Olympus' } }, 'body.embedding.timezone: must be the name of a time zone'],
    [{ timezoneSettings: { timezone: 'nope' } }, 'body.timezoneSettings.timezone'],
    [{ timezoneSettings: { allowUserOverride: false } }, 'body.timezoneSettings.allowUserOverride'],
    [{ restrictDataDownload: 'yes' }, 'body.restrictDataDownload'],
    [{ appTheme: { ...theme, more: 'x'.repeat(64_000) } }, 'body: the configuration would have'],
  ])('is rejected with the name of the field and changes nothing, case %#', async (body, message) => {
    const answer = await put(body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await platform.db.select().from(accounts)).toMatchObject([{ appConfig: {} }]);
  });

  test('concurrent changes both apply', async () => {
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`update accounts set app_config = '{"applyThemeGlobally":true}'`);
      const other = platform.ok('PUT', path, { restrictDataDownload: true });
      await someoneWaits(client);
      await client.query('commit');
      expect(await other).toMatchObject({ applyThemeGlobally: true, restrictDataDownload: true });
    });
  });

  test('a change is recorded in the audit log without its values', async () => {
    await platform.ok('PUT', path, { embedding: { locale: 'nl' } });
    const entries = await platform.audited();
    expect(entries.at(-1)).toMatchObject({ operation: 'updateAppConfig', principal: 'api-key', target: {} });
  });
});
