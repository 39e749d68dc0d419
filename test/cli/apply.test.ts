import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readApplyOptions, readExportOptions } from '../../src/cli/content-options.js';
import { type Files, readFiles, startContentPlatform } from './content-platform.js';

let platform: Awaited<ReturnType<typeof startContentPlatform>>;

beforeAll(async () => {
  platform = await startContentPlatform({
    channels: { webhookHosts: ['hooks.example'], webhookSecret: `whsec_${btoa('a'.repeat(24))}` },
  });
  for (const tenant of ['acme', 'initech']) {
    await platform.call('POST', '/embed/generate-session', {
      deploymentId: 1,
      externalId: 'ann',
      embedTenantName: tenant,
    });
  }
});
afterEach(() => platform.clear());
afterAll(() => platform.stop());

/**
 * Returns the content files with every kind of object, in canonical form. Names start with `name`, which has three
 * letters.
 */
function contentOf(name: string): Files {
  return {
    'folders.yml': `folders:
  - name: ${name} B
    folders:
      - name: Weekly
  - name: ${name} A
`,
    [`reports/${name}Count0000.yml`]: `name: Count
title: How many
folder: [ ${name} A ]
source: D3
query:
  measures: [ flights.count ]
meta: { kind: kpi }
`,
    [`reports/${name}Series000.yml`]: `name: Series
workbook: ${name.toLowerCase()}/board
sqlQuery: |
  SELECT origin, MEASURE(count) AS flights
  FROM flights
  GROUP BY 1
pivotItems:
  columns: []
  filters: []
  measures: [ flights ]
  rows: [ origin ]
meta:
  kind: vega
  spec:
    mark: { type: bar }
    encoding:
      x: { field: flights, type: quantitative }
      y: { field: origin, type: nominal }
`,
    [`workbooks/${name.toLowerCase()}%2Fboard.yml`]: `name: Board
folder: [ ${name} B, Weekly ]
meta:
  team: { name: ops, source: ONLINE_SHEETS }
dashboard:
  kind: CLASSIC
  title: The board
  layout:
    cols: { lg: 12, sm: 6 }
    rowHeight: 40
  widgets:
    - id: count
      type: CHART
      position: { x: 0, y: 0, w: 3, h: 3 }
      responsiveLayouts:
        sm: { x: 0, y: 0, w: 6, h: 3 }
      config: { report: ${name}Count0000, title: Flights }
    - id: notes
      type: TEXT
      position: { x: 3, y: 0, w: 3, h: 3 }
      config:
        markdown: |-
          **Two** lines
          of text: report ${name}Count0000
publish: { description: For everyone }
embedAccess:
  allowEmbed: true
  allEmbedUsers: false
  tenants: [ acme, initech ]
`,
  };
}

/** Returns the exported files of the objects whose names contain `name`. */
async function exported(name: string): Promise<Files> {
  const directory = await platform.write({});
  expect(await platform.export(directory)).toMatchObject({ code: 0 });
  const files = await readFiles(directory);
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.toLowerCase().includes(name.toLowerCase())));
}

const board = async (slug: string) => {
  const { items } = await platform.call('GET', '/deployments/1/workbooks?first=100');
  const found = items.find((item: { slug: string }) => item.slug === slug);
  return platform.call('GET', `/deployments/1/workbooks/${found.id}`);
};

describe('apply', () => {
  it('creates objects in dependency order', async () => {
    const directory = await platform.write(contentOf('Abc'));
    const { code, out, err } = await platform.apply(directory);
    expect({ code, out }).toEqual({ code: 0, out: ['ok: 7 created, 1 changed, 0 unchanged'] });
    expect(err).toEqual([
      'folder Abc B: written',
      'folder Abc B / Weekly: written',
      'folder Abc A: written',
      'report AbcCount0000: written',
      'report AbcSeries000: written',
      'workbook abc/board: written',
      'dashboard abc/board: written',
      'access abc/board: written',
    ]);
    const { publishedDashboard, folderPath, meta } = await board('abc/board');
    const [chart] = publishedDashboard.config.widgets;
    expect(chart.config).toEqual({ reportId: publishedDashboard.reportSnapshots[0].reportId, title: 'Flights' });
    expect(folderPath.map((folder: { name: string }) => folder.name)).toEqual(['Abc B', 'Weekly']);
    expect(publishedDashboard).toMatchObject({ allowEmbed: true, description: 'For everyone', title: 'The board' });
    expect(meta.team).toEqual({ name: 'ops', source: 'ONLINE_SHEETS' });
  });

  it('sends no write requests on the second run', async () => {
    const directory = await platform.write(contentOf('Twi'));
    await platform.apply(directory);
    const before = [await board('twi/board'), await platform.call('GET', '/deployments/1/reports?first=100')];
    const again = await platform.apply(directory);
    expect(again).toEqual({ code: 0, out: ['ok: 0 created, 0 changed, 8 unchanged'], err: [] });
    expect(platform.writes).toEqual([]);
    expect([await board('twi/board'), await platform.call('GET', '/deployments/1/reports?first=100')]).toEqual(before);
  });

  it('exports the applied files byte for byte', async () => {
    const files = contentOf('Rtn');
    await platform.apply(await platform.write(files));
    const { 'folders.yml': _folders, ...own } = files;
    expect(await exported('Rtn')).toEqual(own);
    const whole = await platform.write({});
    await platform.export(whole);
    expect(await platform.apply(whole)).toMatchObject({
      code: 0,
      out: [expect.stringContaining(' 0 created, 0 changed')],
    });
    expect(platform.writes).toEqual([]);
    expect((await readFiles(whole))['folders.yml']).toContain(
      `  - name: Rtn B\n    folders:\n      - name: Weekly\n  - name: Rtn A\n`,
    );
  });

  it('sends only changed fields and publishes dashboards with changed reports again', async () => {
    const files = contentOf('Chg');
    const directory = await platform.write(files);
    await platform.apply(directory);
    const { publishedDashboard } = await board('chg/board');
    const file = join(directory, 'reports/ChgCount0000.yml');
    await writeFile(file, (files['reports/ChgCount0000.yml'] ?? '').replace('How many', 'How many then'));
    expect(await platform.apply(directory)).toMatchObject({ code: 0, out: ['ok: 0 created, 2 changed, 6 unchanged'] });
    expect(platform.writes).toEqual(['upsertReportByPublicId', 'publishDashboard']);
    const after = (await board('chg/board')).publishedDashboard;
    expect(after.versionNumber).toBe(publishedDashboard.versionNumber + 1);
    expect(after.reportSnapshots[0].title).toBe('How many then');
    expect(after.publicId).toBe(publishedDashboard.publicId);
  });

  it('replaces the list of tenants with access', async () => {
    const files = contentOf('Shr');
    const directory = await platform.write(files);
    await platform.apply(directory);
    const path = 'workbooks/shr%2Fboard.yml';
    await writeFile(
      join(directory, path),
      (files[path] ?? '')
        .replace('[ acme, initech ]', '[ initech ]')
        .replace('allEmbedUsers: false', 'allEmbedUsers: true'),
    );
    expect(await platform.apply(directory)).toMatchObject({ code: 0, out: ['ok: 0 created, 1 changed, 7 unchanged'] });
    const { id } = await board('shr/board');
    expect(await platform.call('GET', `/deployments/1/workbooks/${id}/embed-access`)).toMatchObject({
      allowEmbed: true,
      allEmbedUsers: { enabled: true },
      tenants: [{ embedTenantName: 'initech' }],
    });
  });

  it('keeps fields that a file omits and objects without a file', async () => {
    const directory = await platform.write(contentOf('Lft'));
    await platform.apply(directory);
    const { id } = await board('lft/board');
    await platform.call('PUT', `/deployments/1/workbooks/by-slug/lft%2Fboard`, { meta: { theirs: 1 } });
    const small = await platform.write({ 'workbooks/lft%2Fboard.yml': 'name: Board of ours\n' });
    expect(await platform.apply(small)).toMatchObject({ out: ['ok: 0 created, 1 changed, 0 unchanged'] });
    expect(await board('lft/board')).toMatchObject({
      id,
      name: 'Board of ours',
      meta: { theirs: 1, team: { name: 'ops' } },
      dashboardDraft: { title: 'The board' },
    });
  });

  it('moves objects with an empty folder list to the root', async () => {
    await platform.apply(await platform.write(contentOf('Rot')));
    const directory = await platform.write({
      'reports/RotCount0000.yml': 'folder: []\n',
      'workbooks/rot%2Fboard.yml': 'folder: []\n',
    });
    expect(await platform.apply(directory)).toMatchObject({ out: [expect.stringContaining('2 changed')] });
    expect((await board('rot/board')).folderId ?? null).toBeNull();
    expect(Object.keys(await exported('Rot')).length).toBe(3);
    expect(await platform.apply(directory)).toMatchObject({ out: [expect.stringContaining('2 unchanged')] });
  });

  it('orders folders like the file', async () => {
    const inOrder = (...names: string[]) => `folders:\n${names.map(name => `  - name: ${name}\n`).join('')}`;
    await platform.apply(await platform.write({ 'folders.yml': inOrder('Ord 1', 'Ord 2') }));
    const directory = await platform.write({ 'folders.yml': inOrder('Ord 2', 'Ord 3', 'Ord 1') });
    await platform.apply(directory);
    const { items } = await platform.call('GET', '/deployments/1/folders?first=100');
    const names = items.map((item: { name: string }) => item.name).filter((name: string) => name.startsWith('Ord'));
    expect(names).toEqual(['Ord 2', 'Ord 3', 'Ord 1']);
    expect(await platform.apply(directory)).toMatchObject({ out: ['ok: 0 created, 0 changed, 3 unchanged'] });
  });

  it('accepts JSON', async () => {
    const report = { name: 'Count', query: { measures: ['flights.count'] } };
    const directory = await platform.write({ 'reports/JsnCount0000.json': JSON.stringify(report) });
    expect(await platform.apply(directory)).toMatchObject({ code: 0, out: ['ok: 1 created, 0 changed, 0 unchanged'] });
  });

  it('clears the query of the other form', async () => {
    const file = 'reports/QryReport000.yml';
    const asQuery = 'name: a\nquery:\n  measures: [ flights.count ]\n';
    const asSql = 'name: a\nsqlQuery: SELECT MEASURE(count) FROM flights\n';
    const directory = await platform.write({ [file]: asQuery });
    await platform.apply(directory);
    for (const text of [asSql, asQuery]) {
      await writeFile(join(directory, file), text);
      const { out } = await platform.apply(directory, { dryRun: true });
      expect(out).toContain(text === asSql ? '    query: removed' : '    sqlQuery: removed');
      expect(await platform.apply(directory)).toMatchObject({ out: ['ok: 0 created, 1 changed, 0 unchanged'] });
      expect(await platform.apply(directory)).toMatchObject({ out: ['ok: 0 created, 0 changed, 1 unchanged'] });
      expect((await exported('QryReport000'))[file]).toBe(text);
    }
  });

  it('retries after a concurrent write (spec 4.3)', async () => {
    const directory = await platform.write({ 'workbooks/raced.yml': 'name: Mine\n' });
    platform.interrupt(() => platform.call('PUT', '/deployments/1/workbooks/by-slug/raced', { name: 'Theirs' }));
    expect(await platform.apply(directory)).toMatchObject({ code: 0 });
    expect((await board('raced')).name).toBe('Mine');
  });

  it('prints the public ids of dashboards as JSON', async () => {
    const directory = await platform.write(contentOf('Jso'));
    const first = await platform.apply(directory, { json: true });
    const again = await platform.apply(directory, { json: true });
    const { dashboards, objects } = JSON.parse(first.out.join('\n'));
    expect(dashboards).toEqual({ 'jso/board': (await board('jso/board')).publishedDashboard.publicId });
    expect(JSON.parse(again.out.join('\n')).dashboards).toEqual(dashboards);
    expect(objects).toHaveLength(8);
    expect(objects[0]).toEqual({ kind: 'folder', name: 'Jso B', action: 'create', differences: [] });
  });
});

describe('access to folders', () => {
  const folders = (access: string) => `folders:
  - name: Fac
    embedAccess:
      allEmbedUsers: true
      tenants: ${access}
    folders:
      - name: Inner
`;
  const accessOf = async () => {
    const { items } = await platform.call('GET', '/deployments/1/folders?first=100');
    const { id } = items.find((item: { name: string }) => item.name === 'Fac');
    return platform.call('GET', `/deployments/1/folders/${id}/embed-access`);
  };

  it('grants and revokes access, is idempotent, and is exported', async () => {
    const directory = await platform.write({ 'folders.yml': folders('[ acme, initech ]') });
    expect(await platform.apply(directory)).toMatchObject({ code: 0, out: ['ok: 2 created, 1 changed, 0 unchanged'] });
    expect(await platform.apply(directory)).toMatchObject({ out: ['ok: 0 created, 0 changed, 3 unchanged'] });
    expect(platform.writes).toEqual([]);
    const whole = await platform.write({});
    await platform.export(whole);
    const [, ...lines] = folders('[ acme, initech ]').split('\n');
    expect((await readFiles(whole))['folders.yml']).toContain(lines.join('\n'));
    await platform.apply(await platform.write({ 'folders.yml': folders('[ initech ]') }));
    expect(await accessOf()).toMatchObject({
      allEmbedUsers: { enabled: true },
      tenants: [{ embedTenantName: 'initech' }],
    });
  });
});

describe('apply --dry-run', () => {
  it('prints the changes to each object without sending write requests', async () => {
    const files = contentOf('Dry');
    const directory = await platform.write(files);
    const fresh = await platform.apply(directory, { dryRun: true });
    expect(fresh.out.filter(line => !line.startsWith(' '))).toEqual([
      '+ folder Dry B',
      '+ folder Dry B / Weekly',
      '+ folder Dry A',
      '+ report DryCount0000',
      '+ report DrySeries000',
      '+ workbook dry/board',
      '+ dashboard dry/board',
      '~ access dry/board',
      'ok: 7 to create, 1 to change, 0 unchanged',
    ]);
    expect(platform.writes).toEqual([]);
    await platform.apply(directory);
    const path = 'workbooks/dry%2Fboard.yml';
    await writeFile(
      join(directory, path),
      (files[path] ?? '')
        .replace('w: 3, h: 3 }\n      resp', 'w: 4, h: 3 }\n      resp')
        .replace('name: Board', 'name: Boards'),
    );
    const { code, out, err } = await platform.apply(directory, { dryRun: true });
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out).toEqual([
      '= folder Dry B',
      '= folder Dry B / Weekly',
      '= folder Dry A',
      '= report DryCount0000',
      '= report DrySeries000',
      '~ workbook dry/board',
      '    name: "Board" -> "Boards"',
      '    dashboard.widgets.0.position.w: 3 -> 4',
      '~ dashboard dry/board',
      '    dashboard.widgets.0.position.w: 3 -> 4',
      '= access dry/board',
      'ok: 0 to create, 2 to change, 6 unchanged',
    ]);
    expect(platform.writes).toEqual([]);
    expect((await board('dry/board')).name).toBe('Board');
  });
});

describe('a batch', () => {
  const path = '/deployments/1/content-batches';
  const send = (steps: readonly object[]) =>
    platform.call('POST', path, { owner: 'batch', placeholder: -1_000_000_000, steps });

  it('claims only what its steps create', async () => {
    for (const operation of ['updateFolder', 'createRole']) {
      const steps = [{ operation, params: { folderId: 1 }, body: { name: 'claimed' }, creates: 'folder' }];
      await expect(send(steps)).rejects.toThrow(`steps.0: creates: ${operation} does not create a folder`);
    }
  });

  it('does not delete a workbook with reports', async () => {
    const { id } = await platform.call('POST', '/deployments/1/workbooks', { name: 'Shared' });
    const report = { name: 'New', workbookId: id, jsonQuery: '{"measures":["flights.count"]}' };
    await platform.call('POST', '/deployments/1/reports', report);
    const steps = [{ operation: 'deleteWorkbook', params: { workbookId: id } }];
    await expect(send(steps)).rejects.toThrow('steps.0: The workbook contains other reports');
    expect(await platform.call('GET', `/deployments/1/workbooks/${id}`)).toMatchObject({ id });
  });
});

describe('apply --prune', () => {
  const prune = (directory: string, options = {}) => platform.apply(directory, { prune: true, yes: true, ...options });
  const report = 'name: a\n';

  it('removes what apply created from the folder, and nothing else', async () => {
    const files = contentOf('Prn');
    await platform.apply(await platform.write(files));
    await platform.apply(await platform.write({ 'content.yml': 'owner: other\n', 'reports/OthReport000.yml': report }));
    await platform.call('PUT', '/deployments/1/reports/by-public-id/HndReport000', { name: 'By hand' });
    // A file for an object of a person does not make it an object of apply.
    await platform.apply(await platform.write({ 'reports/HndReport000.yml': 'title: Theirs\n' }));
    const directory = await platform.write({
      'reports/PrnCount0000.yml': files['reports/PrnCount0000.yml'] ?? '',
      'folders.yml': 'folders:\n  - name: Prn A\n',
    });
    const { out, code } = await prune(directory);
    expect(code).toBe(0);
    expect(out).toEqual([
      '= folder Prn A',
      '= report PrnCount0000',
      '- report PrnSeries000',
      '- workbook prn/board',
      '- folder Prn B / Weekly',
      '- folder Prn B',
      'ok: 0 to create, 0 to change, 4 to remove, 2 unchanged',
      'ok: 0 created, 0 changed, 4 removed, 2 unchanged',
    ]);
    const { items } = await platform.call('GET', '/deployments/1/reports?first=100');
    const ids = items.map(({ publicId }: { publicId: string }) => publicId).sort();
    expect(ids).toEqual(['HndReport000', 'OthReport000', 'PrnCount0000']);
    expect(await prune(directory)).toMatchObject({
      out: expect.arrayContaining([expect.stringContaining(' 0 removed')]),
    });
    expect(platform.writes).toEqual([]);
  });

  it('keeps objects with content of people, and reports that a dashboard uses', async () => {
    const files = contentOf('Kpt');
    await platform.apply(await platform.write(files));
    const { id: workbookId } = await board('kpt/board');
    const { items } = await platform.call('GET', '/deployments/1/folders?first=100');
    const { id: folderId } = items.find(({ name }: { name: string }) => name === 'Kpt A');
    await platform.call('POST', '/deployments/1/reports', { name: 'Mine', folderId, workbookId });
    const { out } = await prune(await platform.write({ 'reports/NewReport000.yml': report }));
    expect(out.filter(line => /^[-!]/.test(line))).toEqual([
      '- report KptSeries000',
      '! workbook kpt/board is not removed: it contains the report Mine',
      '! folder Kpt A is not removed: it contains the report Mine',
      '! report KptCount0000 is not removed: the dashboard of Board uses it',
      '! folder Kpt B / Weekly is not removed: it contains the workbook Board',
      '! folder Kpt B is not removed: it contains the folder Weekly',
    ]);
    expect(Object.keys(await exported('Kpt'))).toEqual(['reports/KptCount0000.yml', 'workbooks/kpt%2Fboard.yml']);
  });

  it('requires a confirmation, which scripts give with --yes', async () => {
    await platform.apply(
      await platform.write({ 'reports/AskReport000.yml': report, 'reports/AskReport001.yml': report }),
    );
    const directory = await platform.write({ 'reports/AskReport000.yml': report });
    await expect(prune(directory, { yes: false })).rejects.toThrow('--prune needs a confirmation: add --yes');
    const dry = await prune(directory, { yes: false, dryRun: true });
    expect(dry.out).toContain('- report AskReport001');
    const asked: string[] = [];
    for (const answer of [false, true]) {
      platform.answers.confirm = async question => {
        asked.push(question);
        return answer;
      };
      const { code, err } = await prune(directory, { yes: false });
      expect({ code, err }).toEqual(
        answer
          ? { code: 0, err: ['report AskReport001: removed'] }
          : { code: 1, err: ['Canceled. Nothing was changed.'] },
      );
    }
    platform.answers.confirm = null;
    expect(asked).toEqual(Array(2).fill('Remove 1 object and write the changes?'));
  });

  it('removes adopted objects, and changes nothing if a step fails', async () => {
    await platform.call('PUT', '/deployments/1/reports/by-public-id/AdoReport000', { name: 'a' });
    await platform.apply(await platform.write({ 'reports/AdoReport000.yml': report }), { adopt: true });
    // A folder that gets a name takes over its content.
    const owner = { 'content.yml': 'owner: team\n' };
    await platform.apply(await platform.write({ ...owner, 'reports/AdoReport000.yml': report }), { adopt: true });
    expect((await prune(await platform.write({ 'reports/AdoReport001.yml': report }))).err).toEqual([
      'report AdoReport001: written',
    ]);
    const broken = {
      ...owner,
      'reports/AdoReport002.yml': report,
      'reports/BadQuery0000.yml': 'name: a\nquery:\n  measures: 7\n',
    };
    const { code, err } = await prune(await platform.write(broken));
    expect({ code, err }).toEqual({ code: 1, err: [expect.stringMatching(/BadQuery0000\.yml:3: /)] });
    expect(Object.keys(await exported('Report'))).toEqual(['reports/AdoReport000.yml', 'reports/AdoReport001.yml']);
    const { err: lines } = await prune(await platform.write({ ...owner, 'reports/AdoReport002.yml': report }));
    expect(lines).toEqual(['report AdoReport002: written', 'report AdoReport000: removed']);
  });
});

describe('roles, groups, variables and notifications', () => {
  const files: Files = {
    ...contentOf('Acc'),
    'roles.yml': `roles:
  - name: Acc readers
    description: Read the board
    policies:
      - resourceType: Workbook
        resources: [ acc/board ]
        actions: [ WorkbookRead ]
      - resourceType: Report
        resources: [ AccCount0000, 987654 ]
        actions: [ ReportRead ]
      - resourceType: Folder
        resources:
          - [ Acc B, Weekly ]
        actions: [ FolderRead ]
      - resourceType: Deployment
        resources: [ this ]
        actions: [ DeploymentRead ]
`,
    'groups.yml': `groups:
  - name: acc-team
    description: The team
    role: Acc readers
`,
    'variables.yml': `variables:
  - ACC_HOST
  - ACC_PASSWORD
`,
    'notifications/acc%20daily.yml': `dashboard: acc/board
schedule: 30 7 * * 1-5
timezone: Europe/Berlin
isEnabled: false
notificationFormat: pdf
recipients:
  - type: EMBED_USER
    embedTenantName: acme
    externalId: bo@acme.example
    groups: [ acc-team ]
  - type: WEBHOOK
    url: \${ACC_HOOK}
`,
  };
  const secrets = {
    PA_VAR_ACC_HOST: 'db',
    PA_VAR_ACC_PASSWORD: 'hunter2-acc',
    PA_VAR_ACC_HOOK: 'https://hooks.example/t0ken',
  };

  afterEach(() => {
    for (const name of Object.keys(secrets)) delete platform.environment[name];
  });

  it('are created, exported without secrets, unchanged by their export, and removed', async () => {
    const directory = await platform.write(files);
    const missing = await platform.apply(directory);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toEqual([
      expect.stringMatching(/variables\.yml:2: ACC_HOST: set the environment variable PA_VAR_ACC_HOST to its value/),
      expect.stringMatching(/variables\.yml:3: ACC_PASSWORD: set the environment variable PA_VAR_ACC_PASSWORD/),
      expect.stringMatching(/acc%20daily\.yml:12: url: set the environment variable PA_VAR_ACC_HOOK to the URL/),
    ]);
    expect(platform.writes).toEqual([]);
    Object.assign(platform.environment, secrets);
    const created = await platform.apply(directory);
    expect(created).toMatchObject({ code: 0, out: ['ok: 12 created, 1 changed, 0 unchanged'] });
    const again = await platform.apply(directory, { dryRun: true });
    expect(again.out.filter(line => !line.startsWith('='))).toEqual([
      '~ variable ACC_PASSWORD',
      '    value: sent, because a masked value cannot be compared',
      'ok: 0 to create, 1 to change, 12 unchanged',
    ]);
    for (const name of Object.keys(secrets)) delete platform.environment[name];

    const whole = await platform.write({});
    await platform.export(whole);
    const copy = await readFiles(whole);
    expect(copy).toEqual({ ...files, 'folders.yml': copy['folders.yml'] });
    const output = JSON.stringify([copy, created, again]);
    for (const secret of ['hunter2', 't0ken']) expect(output).not.toContain(secret);
    expect(await platform.apply(whole)).toMatchObject({ code: 0, out: ['ok: 0 created, 0 changed, 13 unchanged'] });
    expect(platform.writes).toEqual([]);

    const changed = {
      ...files,
      'groups.yml': "groups:\n  - name: acc-team\n    role: ''\n",
      'notifications/acc%20daily.yml': (files['notifications/acc%20daily.yml'] ?? '')
        .replace(/ {2}- type: WEBHOOK.*/s, '')
        .replace('30 7', '45 7'),
    };
    const { out } = await platform.apply(await platform.write(changed), { dryRun: true });
    expect(out).toEqual(
      expect.arrayContaining([
        '    role: "Acc readers" -> ""',
        '    schedule: "30 7 * * 1-5" -> "45 7 * * 1-5"',
        '    recipients: 1 removed',
      ]),
    );
    await platform.apply(await platform.write(changed));
    expect(await platform.apply(await platform.write(changed))).toMatchObject({
      out: ['ok: 0 created, 0 changed, 13 unchanged'],
    });

    const removed = await platform.apply(await platform.write({ 'folders.yml': files['folders.yml'] ?? '' }), {
      prune: true,
      yes: true,
    });
    expect(removed.err.slice(0, 3)).toEqual([
      'notification acc daily: removed',
      'group acc-team: removed',
      'role Acc readers: removed',
    ]);
    expect(removed.err.slice(-2)).toEqual(['variable ACC_HOST: removed', 'variable ACC_PASSWORD: removed']);
  });

  it('are checked with file and line before anything is sent', async () => {
    const directory = await platform.write({
      'roles.yml':
        'roles:\n  - name: Bad\n    policies:\n      - resourceType: Report\n        actions: [ReportRead]\n        resources:\n          - NoReport0000\n',
      'groups.yml': 'groups:\n  - name: a\n    role: Nobody\n',
      'notifications/bad.yml': 'dashboard: nowhere\nrecipients:\n  - type: USER\n',
    });
    const { err } = await platform.apply(directory);
    expect(err.map(line => line.slice(directory.length + 1))).toEqual([
      'roles.yml:7: policies.0.resources.0: the files and the platform have no Report NoReport0000',
      'groups.yml:3: role: roles.yml and the platform have no custom role named Nobody',
      'notifications/bad.yml:1: dashboard: no file or workbook with the slug nowhere publishes a dashboard',
      'notifications/bad.yml:1: schedule: is required for a new notification',
      'notifications/bad.yml:3: recipients.0: email is required',
    ]);
    expect(platform.writes).toEqual([]);
  });
});

const widget = (config: string) => `dashboard:
  widgets:
    - id: a
      type: CHART
      position: { x: 0, y: 0, w: 1, h: 1 }
      config: ${config}
`;

describe('validation of the files before anything is sent', () => {
  /** Returns a workbook file with these widgets, one per line from line 3. */
  const board = (...widgets: readonly string[]): string => {
    const placed = widgets.map(each => `    - ${each.replace('{', '{ position: { x: 0, y: 0, w: 1, h: 1 },')}`);
    return ['dashboard:', '  widgets:', ...placed, ''].join('\n');
  };

  it.each<[string, Files, string[]]>([
    [
      'an unknown key',
      { 'reports/BadReport000.yml': 'name: a\n\nnope: 1\n' },
      ['reports/BadReport000.yml:3: Unknown key "nope"'],
    ],
    ['a value of the wrong kind', { 'reports/BadReport000.yml': 'name: 7\n' }, ['reports/BadReport000.yml:1: name: ']],
    [
      'invalid YAML',
      { 'reports/BadReport000.yml': 'name: a\n  b: c: d\n' },
      ['reports/BadReport000.yml:1: Nested mappings'],
    ],
    ...['.inf', '-.Inf', '.nan', '1e400'].map((number): [string, Files, string[]] => [
      `the number ${number}, which JSON does not support`,
      { 'reports/BadReport000.yml': `name: a\nmeta:\n  a: [1, ${number}]\n` },
      [`reports/BadReport000.yml:3: ${number} is not a finite number`],
    ]),
    ['an empty file', { 'reports/BadReport000.yml': '' }, ['reports/BadReport000.yml:1: ']],
    [
      'a file name that is not a publicId',
      { 'reports/short.yml': 'name: a\n' },
      ['reports/short.yml:1: the file name must be the publicId'],
    ],
    [
      'an uppercase slug',
      { 'workbooks/Board.yml': 'name: a\n' },
      ['workbooks/Board.yml:1: the file name must be the slug'],
    ],
    ['an unexpected file', { 'other.yml': 'a: 1\n' }, ['other.yml:1: expected folders.yml']],
    [
      'two files for one report',
      { 'reports/BadReport000.yml': 'name: a\n', 'reports/BadReport000.json': '{"name":"a"}' },
      ['reports/BadReport000.yml:1: duplicates reports/BadReport000.json'],
    ],
    [
      'two folders with the same name',
      { 'folders.yml': 'folders:\n  - name: A\n  - name: A\n' },
      ['folders.yml:3: name: duplicate folder name A'],
    ],
    [
      'a missing report',
      { 'workbooks/bad.yml': widget('{ report: NoSuchReport }') },
      ['workbooks/bad.yml:6: config.report: no file or report has'],
    ],
    [
      'an invalid publicId of a report',
      { 'workbooks/bad.yml': widget('{ report: nope }') },
      ['workbooks/bad.yml:6: config.report: "nope" is not a publicId'],
    ],
    [
      'a chart without a report',
      { 'workbooks/bad.yml': widget('{ title: a }') },
      ['workbooks/bad.yml:6: dashboard.widgets.0.config.report: set the publicId of a report'],
    ],
    [
      'a specification that does not match its kind',
      { 'reports/BadReport000.yml': 'name: a\nmeta:\n  kind: kpi\n  spec:\n    display: gauge\n' },
      ['reports/BadReport000.yml:5: meta.spec.display: '],
    ],
    [
      'a missing widget in a nested container',
      {
        'workbooks/bad.yml': board(
          '{ id: a, type: CONTAINER, config: { layout: tabs, children: [ b ] } }',
          '{ id: b, type: CONTAINER, config: { children: [ c ] } }',
        ),
      },
      ['workbooks/bad.yml:4: dashboard.widgets.1.config.children.0: no widget has the id c'],
    ],
    [
      'a missing report in a container',
      {
        'workbooks/bad.yml': board(
          '{ id: a, type: CONTAINER, config: { children: [ b ] } }',
          '{ id: b, type: CHART, config: { report: NoSuchReport } }',
        ),
      },
      ['workbooks/bad.yml:4: config.report: no file or report has'],
    ],
    [
      'an unknown operator of a control',
      { 'workbooks/bad.yml': board('{ id: a, type: FILTER, config: { member: orders.status, operator: like } }') },
      ['workbooks/bad.yml:3: dashboard.widgets.0.config.operator: '],
    ],
    [
      'a missing folder',
      { 'reports/BadReport000.yml': 'name: a\nfolder: [ No such ]\n' },
      ['reports/BadReport000.yml:2: folder: not found'],
    ],
    [
      'a missing workbook',
      { 'reports/BadReport000.yml': 'name: a\nworkbook: no-such\n' },
      ['reports/BadReport000.yml:2: workbook: no file or existing workbook'],
    ],
    [
      'a draft in meta',
      { 'workbooks/bad.yml': 'meta:\n  dashboardDraft: {}\n' },
      ['workbooks/bad.yml:2: meta.dashboardDraft: use the key dashboard'],
    ],
    [
      'publishing without a dashboard',
      { 'workbooks/bad.yml': 'name: a\npublish: true\n' },
      ['workbooks/bad.yml:2: publish: there is no dashboard to publish'],
    ],
    [
      'embedding without a published dashboard',
      { 'workbooks/bad.yml': 'embedAccess:\n  allowEmbed: true\n' },
      ['workbooks/bad.yml:2: embedAccess.allowEmbed: requires a published'],
    ],
    [
      'an invalid published dashboard',
      { 'workbooks/bad.yml': 'publish:\n  dashboard:\n    kind: NOPE\n' },
      ['workbooks/bad.yml:3: publish.dashboard.kind'],
    ],
    [
      'aliases that expand too far',
      {
        'folders.yml': `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\nfolders: [*d, *d, *d, *d]\n`,
      },
      ['folders.yml:1: aliases'],
    ],
  ])('%s', async (_what, files, problems) => {
    const directory = await platform.write(files);
    const { code, out, err } = await platform.apply(directory);
    expect({ code, out, writes: platform.writes }).toEqual({ code: 1, out: [], writes: [] });
    expect(err).toEqual(problems.map(problem => expect.stringContaining(join(directory, problem))));
  });

  it('reports all problems, optionally as JSON', async () => {
    const directory = await platform.write({ 'reports/x.yml': 'name: a\n', 'workbooks/bad.yml': 'nope: 1\nno: 2\n' });
    const { code, out, err } = await platform.apply(directory, { json: true });
    expect({ code, err }).toEqual({ code: 1, err: [] });
    expect(JSON.parse(out.join('\n')).problems).toHaveLength(3);
  });
});

describe('validation against the platform before anything is sent', () => {
  it('reports file and line of what the platform rejects', async () => {
    const directory = await platform.write({ 'reports/BadQuery0000.yml': 'name: a\nquery:\n  measures: nope\n' });
    const { code, err } = await platform.apply(directory);
    expect(code).toBe(1);
    expect(err.at(-1)).toMatch(/reports\/BadQuery0000\.yml:3: body\.jsonQuery\.measures/);
  });

  it('reports missing tenants', async () => {
    const directory = await platform.write({
      'folders.yml': 'folders:\n  - name: A\n    embedAccess:\n      tenants: [ acme, missing ]\n',
      'workbooks/bad.yml': 'name: a\nembedAccess:\n  tenants:\n    - acme\n    - no-one\n',
    });
    const { code, err } = await platform.apply(directory);
    expect({ code, writes: platform.writes }).toEqual({ code: 1, writes: [] });
    expect(err).toEqual([
      expect.stringMatching(
        /folders\.yml:4: .* missing; create it first with POST \/api\/v1\/embed-tenants\/missing\/user/,
      ),
      expect.stringMatching(/bad\.yml:5: .* no-one; create it first with POST/),
    ]);
  });

  it('rejects keys of users who are not admins, and fails if the platform does not respond', async () => {
    const { key } = await platform.call('POST', '/api-keys', {
      name: 'small',
      username: 'someone',
      role: 'AIBIDeveloper',
    });
    const directory = await platform.write({ 'workbooks/bad.yml': 'name: a\n', 'small.key': key });
    const target = { url: platform.url, deploymentId: 1, keyFile: join(directory, 'small.key') };
    await expect(platform.apply(directory, { target })).rejects.toThrow('The API key does not belong to an admin');
    expect(platform.writes).toEqual([]);
    const nowhere = { ...target, url: 'http://127.0.0.1:9' };
    await expect(platform.apply(directory, { target: nowhere })).rejects.toThrow(/http:\/\/127\.0\.0\.1:9\. .*--url/);
  });

  it('reports publishing errors of a report in the file of the report', async () => {
    const directory = await platform.write({
      'reports/SpcReport000.yml': 'name: a\nmeta:\n  kind: vega\n  spec: { mark: nope, encoding: 7, layer: 3 }\n',
      'workbooks/spc.yml': `${widget('{ report: SpcReport000 }')}publish: true\n`,
    });
    const { code, err } = await platform.apply(directory);
    expect(code).toBe(1);
    expect(err.at(-1)).toMatch(
      /reports\/SpcReport000\.yml:4: The specification of report SpcReport000 \(a\) does not compile/,
    );
  });

  it('rejects a changed source', async () => {
    const name = 'reports/SrcReport000.yml';
    await platform.apply(await platform.write({ [name]: 'name: a\nsource: D3\n' }));
    const { code, err } = await platform.apply(await platform.write({ [name]: 'name: a\nsource: PLAYGROUND\n' }));
    expect(code).toBe(1);
    expect(err).toEqual([expect.stringMatching(/SrcReport000\.yml:2: source: cannot be changed from D3/)]);
  });
});

describe('export', () => {
  it('skips and counts objects without a name, and lists unmatched files', async () => {
    await platform.call('POST', '/deployments/1/reports', { name: 'Nameless' });
    await platform.call('POST', '/deployments/1/workbooks', { name: 'Nameless' });
    const directory = await platform.write({ 'reports/GoneReport00.yml': 'name: gone\n' });
    const { code, err } = await platform.export(directory);
    expect(code).toBe(0);
    expect(err).toEqual(
      expect.arrayContaining([
        'reports/GoneReport00.yml: unchanged, because nothing in the deployment matches it',
        'Skipped 1 report without a publicId. To export a report, set its publicId.',
        'Skipped 1 workbook without a slug. To export a workbook, set its slug.',
      ]),
    );
    expect(Object.keys(await readFiles(directory))).toContain('reports/GoneReport00.yml');
  });

  it('exports a published dashboard that differs from the draft', async () => {
    const directory = await platform.write(contentOf('Pub'));
    await platform.apply(directory);
    await platform.call('PUT', '/deployments/1/workbooks/by-slug/pub%2Fboard', {
      meta: { dashboardDraft: { title: 'Work in progress', widgets: [] } },
    });
    const files = await exported('Pub');
    expect(files['workbooks/pub%2Fboard.yml']).toMatch(
      /dashboard:\n {2}title: Work in progress\n {2}widgets: \[\]\npublish:\n {2}description: .*\n {2}dashboard:\n {4}kind: CLASSIC\n {4}title: The board\n/,
    );
    const again = await platform.write(files);
    expect(await platform.apply(again, { dryRun: true })).toMatchObject({
      out: expect.not.arrayContaining([expect.stringMatching(/^[+~]/)]),
    });
  });
});

describe('folders with the same name', () => {
  const folder = (name: string, parentId?: number, token?: string) =>
    platform.call('POST', '/deployments/1/folders', { name, ...(parentId && { parentId }) }, token);

  it('only affect files that refer to them, and keep their content', async () => {
    const [first, second] = [await folder('Twin'), await folder('Twin')];
    await folder('Inner', first.id);
    await platform.call('PUT', '/deployments/1/reports/by-public-id/TwnReport000', { name: 'a', folderId: first.id });
    const elsewhere = await platform.write({ 'reports/TwnReport000.yml': 'name: b\n' });
    expect(await platform.apply(elsewhere)).toMatchObject({ code: 0, out: ['ok: 0 created, 1 changed, 0 unchanged'] });
    const directory = await platform.write({
      'folders.yml': 'folders:\n  - name: Twin\n',
      'workbooks/twn.yml': 'name: a\nfolder: [ Twin, Inner ]\n',
    });
    const { code, err } = await platform.apply(directory);
    const problem = `the platform has 2 folders named Twin (ids ${first.id}, ${second.id}): give each a unique name`;
    expect({ code, writes: platform.writes }).toEqual({ code: 1, writes: [] });
    expect(err).toEqual([
      `${join(directory, 'folders.yml')}:2: name: ${problem}`,
      `${join(directory, 'workbooks/twn.yml')}:2: folder: ${problem}`,
    ]);
    const whole = await platform.write({});
    const exporting = await platform.export(whole);
    expect(exporting.code).toBe(0);
    expect(exporting.err).toContain(`skipped folders: ${problem}`);
    expect(exporting.err).toContain('reports/TwnReport000.yml: skipped, because the name of its folder is not unique');
    const files = await readFiles(whole);
    expect(Object.keys(files)).not.toContain('reports/TwnReport000.yml');
    expect(files['folders.yml'] ?? '').not.toContain('Twin');
    const root = await platform.write({ 'reports/TwnReport000.yml': 'folder: []\n' });
    expect(await platform.apply(root)).toMatchObject({ code: 0, out: ['ok: 0 created, 1 changed, 0 unchanged'] });
    expect(await platform.apply(root)).toMatchObject({ out: ['ok: 0 created, 0 changed, 1 unchanged'] });
  });

  it('of users of an embed tenant are ignored, like their content', async () => {
    const grant = { deploymentId: 1, externalId: 'ann', embedTenantName: 'acme', creatorMode: true };
    const { sessionId } = await platform.call('POST', '/embed/generate-session', grant);
    const { token } = await platform.call('POST', '/embed/session/token', { sessionId });
    await folder('Theirs', undefined, token);
    await folder('Theirs', undefined, token);
    await folder('Theirs');
    await platform.call('PUT', '/deployments/1/workbooks/by-slug/theirs', { name: 'Theirs' }, token);
    await platform.call('PUT', '/deployments/1/reports/by-public-id/ThrReport000', { name: 'a' }, token);
    const directory = await platform.write({
      'folders.yml': 'folders:\n  - name: Theirs\n',
      'workbooks/theirs.yml': 'name: Ours\nfolder: [ Theirs ]\n',
    });
    expect(Object.keys(await exported('thr'))).toEqual([]);
    expect(Object.keys(await exported('theirs'))).toEqual([]);
    expect(await platform.apply(directory)).toMatchObject({ code: 0, out: ['ok: 1 created, 0 changed, 1 unchanged'] });
    expect((await exported('theirs'))['workbooks/theirs.yml']).toContain('name: Ours');
    const claimed = await platform.write({ 'reports/ThrReport000.yml': 'name: b\n' });
    const { err } = await platform.apply(claimed);
    expect(err).toEqual([expect.stringContaining('ThrReport000.yml:1: the embed tenant acme already uses this')]);
  });
});

describe('command-line options', () => {
  it('contain folder and platform, but never a key', () => {
    expect(readApplyOptions(['content', '--url', 'https://p.example', '--deployment', '3', '--dry-run'])).toEqual({
      directory: 'content',
      target: { url: 'https://p.example', deploymentId: 3, keyFile: null },
      dryRun: true,
      prune: false,
      adopt: false,
      yes: false,
      json: false,
    });
    expect(readApplyOptions(['--help'])).toBeNull();
    expect(readExportOptions(['--help'])).toBeNull();
    for (const args of [
      [],
      ['--dry-run'],
      ['x', '--key', 'secret'],
      ['x', '--url', 'http://p.example'],
      ['x', '--deployment', '0'],
    ]) {
      expect(() => readApplyOptions(args)).toThrow();
    }
    expect(() => readExportOptions(['x', '--dry-run'])).toThrow();
  });
});
