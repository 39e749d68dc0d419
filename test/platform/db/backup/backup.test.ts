import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backUp, readCatalog, tableNames } from '../../../../src/platform/db/backup/backup.js';
import { ExistingData, restoreBackup } from '../../../../src/platform/db/backup/restore.js';
import {
  currentVersion,
  type Db,
  migrateBetween,
  migrations,
  openDatabase,
} from '../../../../src/platform/db/database.js';
import { startPostgresServer } from '../../../../src/platform/db/embedded-postgres/postgres-server.js';
import { ensureRecurringJob } from '../../../../src/platform/jobs/job-store.js';
import { seed } from '../../../../src/platform/seed.js';

let server: Awaited<ReturnType<typeof startPostgresServer>>;
let admin: pg.Client;
let folder = '';
let databases = 0;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  admin = new pg.Client(server.connection);
  await admin.connect();
  await admin.query('CREATE DATABASE first_start');
  const database = await openDatabase({ ...server.connection, database: 'first_start' });
  await seed(database.db, { adminKeyHash: 'hash', groups: ['Sales'] });
  await database.close();
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-backup-'));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates an empty database on the shared server. */
async function emptyDatabase(template = 'template1'): Promise<pg.PoolConfig> {
  databases += 1;
  const database = `copy_${databases}`;
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  return { ...server.connection, database };
}

async function open(config: pg.PoolConfig): Promise<Db> {
  const database = await openDatabase(config);
  closing.push(() => database.close());
  return database.db;
}

async function seeded(): Promise<{ config: pg.PoolConfig; db: Db }> {
  const config = await emptyDatabase('first_start');
  const db = await open(config);
  return { config, db };
}

const awkward = 'line\nline\u2028 "quoted" \\ back, [1] {"a"} 😀 ümlaut';

/** Values that satisfy the constraints of single columns. */
const fitting: Readonly<Record<string, string | null>> = { parent_id: null, rating: 'up', status: 'finished' };

function valueFor(table: string, column: string, type: string): string | null {
  // A row of managed content refers to one object.
  if (table === 'managed_content' && /^(?!folder|deployment).*_id$/.test(column)) return null;
  // `status` is a number in the query log.
  if (column in fitting && !(column === 'status' && type === 'integer')) return fitting[column] ?? null;
  if (type.startsWith('timestamp')) return '2026-02-03 04:05:06.789+00';
  if (/^(bigint|integer|smallint|double|numeric|real)/.test(type)) return '1';
  if (type === 'boolean') return 'true';
  if (type.endsWith('[]')) return '{a,"b c",NULL}';
  // In `json`, the order of keys and whitespace are part of the value.
  if (type.startsWith('json')) return `{ "b": ${JSON.stringify(awkward)},\n"a":[null, 1.50, true]}`;
  if (type === 'uuid') return '0198c6a3-7a31-7000-8000-000000000001';
  if (type === 'bytea') return '\\xdeadbeef';
  return awkward;
}

/** Inserts a row with unusual values into every empty table. */
async function fillAll(db: Db): Promise<void> {
  await db.transaction(async tx => {
    // Ignores the order of references; all refer to row 1.
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const { name, columns } of (await readCatalog(tx)).tables) {
      const { rows } = await tx.execute(sql`select from ${sql.identifier(name)} limit 1`);
      if (rows.length > 0) continue;
      const values = columns.map(
        column => sql`${valueFor(name, column.name, column.type)}::text::${sql.raw(column.type)}`,
      );
      await tx.execute(sql`insert into ${sql.identifier(name)}
        (${sql.join(
          columns.map(column => sql.identifier(column.name)),
          sql`, `,
        )}) values (${sql.join(values, sql`, `)})`);
    }
    await tx.execute(sql`insert into audit_log (id, operation, principal, target) values (77, 'a', 'b', 'null')`);
    // Insert referenced rows first.
    await tx.execute(sql`insert into folders (id, parent_id, name, deployment_id, created_by)
      values (903, 902, 'lower', 1, 1), (902, 904, 'middle', 1, 1), (904, null, 'upper', 1, 1)`);
    await tx.execute(sql`select setval(pg_get_serial_sequence('folders', 'id'), 7000)`);
  });
}

/** Returns all rows of all tables as text, and the positions of sequences. */
async function contentOf(db: Db): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const name of tableNames) {
    const { rows } = await db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`);
    content[name] = rows.map(({ row }) => row).sort();
  }
  return content;
}

async function sequencesOf(db: Db): Promise<Record<string, string | undefined>> {
  const { rows: names } = await db.execute<{ name: string }>(
    sql`select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  );
  const next: Record<string, string | undefined> = {};
  for (const { name } of names) {
    const { rows } = await db.execute<{ next: string }>(
      sql`select (last_value + is_called::int)::text as next from ${sql.identifier(name)}`,
    );
    next[name] = rows[0]?.next;
  }
  return next;
}

const file = () => join(folder, 'backup');

describe('a backup', () => {
  test('contains every table', async () => {
    const { db } = await seeded();
    const { rows } = await db.execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...tableNames].sort());
  });

  test('restores every row of every table, and the positions of sequences', async () => {
    const { config, db } = await seeded();
    await fillAll(db);
    const before = await contentOf(db);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const progress: string[] = [];
    const summary = await backUp(config, { file: file(), onProgress: ({ table }) => progress.push(table) });
    expect(summary.rows).toBe(Object.values(before).flat().length);
    expect(progress.sort()).toEqual([...tableNames].sort());

    const other = await emptyDatabase();
    const restored = await restoreBackup(other, { file: file(), present: ExistingData.keep });
    expect(restored).toEqual({ tables: summary.tables, rows: summary.rows });
    const otherDb = await open(other);
    expect(await contentOf(otherDb)).toEqual(before);
    expect(await sequencesOf(otherDb)).toEqual(await sequencesOf(db));
    expect(await sequencesOf(otherDb)).toMatchObject({ folders_id_seq: '7001' });
    await expect(addFolder(otherDb, 9999)).rejects.toThrow();
    // References are no longer deferrable. They are checked immediately, as before the restore.
    const { rows } = await otherDb.execute(sql`select from pg_constraint where condeferrable`);
    expect(rows).toHaveLength(0);
  });

  test('is readable only by its owner, and replaces an older one only when it is complete', async () => {
    const { config } = await seeded();
    await writeFile(file(), 'older');
    const signal = AbortSignal.abort();
    await expect(backUp(config, { file: file(), signal })).rejects.toThrow();
    expect(await readFile(file(), 'utf8')).toBe('older');
    await backUp(config, { file: file() });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['backup']);
  });

  test('is consistent during concurrent writes', async () => {
    const { config, db } = await seeded();
    let stop = false;
    const write = () =>
      // A snapshot must contain both a folder and its audit log entry, or neither.
      db.transaction(async tx => {
        await addFolder(tx, null);
        await tx.execute(sql`insert into audit_log (operation, principal, target) values ('a', 'b', '{}')`);
      });
    await write();
    const writing = (async () => {
      while (!stop) await write();
    })();
    try {
      for (let round = 0; round < 2; round++) {
        await backUp(config, { file: file() });
        const other = await emptyDatabase();
        await restoreBackup(other, { file: file(), present: ExistingData.keep });
        const copy = await contentOf(await open(other));
        expect(copy.folders?.length).toBe(copy.audit_log?.length);
        expect(copy.folders?.length).toBeGreaterThan(0);
        await addFolder(await open(other), null);
      }
    } finally {
      stop = true;
      await writing;
    }
  });

  test('of many rows is ordered and complete', async () => {
    const { config, db } = await seeded();
    await db.execute(sql`insert into audit_log (operation, principal, target)
      select repeat('x', n % 50), 'b', json_build_object('n', n) from generate_series(1, 20000) n`);
    // Some rows are much longer than the previous ones.
    await db.execute(sql`insert into audit_log (operation, principal, target)
      select repeat('y', 300000), 'b', '{}' from generate_series(1, 10) n`);
    await backUp(config, { file: file() });
    const other = await emptyDatabase();
    const { rows } = await restoreBackup(other, { file: file(), present: ExistingData.keep });
    expect(rows).toBeGreaterThan(20_000);
    expect(await contentOf(await open(other))).toEqual(await contentOf(db));
  });

  test('is rejected for a database of another release', async () => {
    const nothing = await emptyDatabase();
    await expect(backUp(nothing, { file: file() })).rejects.toThrow('The database contains no platform');
    const { config, db } = await seeded();
    await db.execute(sql`delete from drizzle.__drizzle_migrations where created_at = ${currentVersion()}`);
    await expect(backUp(config, { file: file() })).rejects.toThrow('the schema of an older pa-platform');
    await db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${currentVersion() + 1})`,
    );
    await expect(backUp(config, { file: file() })).rejects.toThrow('migrated by a newer pa-platform');
    expect(await readdir(folder)).toEqual([]);
  });
});

async function addFolder(db: Db, parent: number | null): Promise<void> {
  await db.execute(sql`insert into folders (name, deployment_id, created_by, parent_id) values ('f', 1, 1, ${parent})`);
}

/** Changes the lines of a backup and updates its checksum. */
async function rewrite(change: (lines: string[]) => string[]): Promise<void> {
  const lines = gunzipSync(await readFile(file()))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(0, -1);
  const text = `${change(lines).join('\n')}\n`;
  const checksum = createHash('sha256').update(text).digest('hex');
  await writeFile(file(), gzipSync(`${text}${JSON.stringify({ checksum })}\n`));
}

const withHeader = (change: (header: Record<string, unknown>) => object) => (lines: string[]) => [
  JSON.stringify(change(JSON.parse(lines[0] ?? ''))),
  ...lines.slice(1),
];

describe('a restore', () => {
  let original: Buffer;
  let content: Awaited<ReturnType<typeof contentOf>>;

  // All tests restore the same backup, because creating one takes longer than most of them.
  beforeAll(async () => {
    const { config, db } = await seeded();
    await fillAll(db);
    const directory = await mkdtemp(join(tmpdir(), 'pa-backup-'));
    await backUp(config, { file: join(directory, 'backup') });
    original = await readFile(join(directory, 'backup'));
    content = await contentOf(db);
    await rm(directory, { recursive: true });
  });

  /** Writes the backup of a database with rows in every table. */
  const backedUp = () => writeFile(file(), original);

  test.each([
    // Changes bytes after the first line, which identifies the file.
    ['modified', (bytes: Buffer) => bytes.fill(0, bytes.length - 120, bytes.length - 100)],
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    [
      'truncated at a line',
      (bytes: Buffer) =>
        gzipSync(
          gunzipSync(bytes)
            .toString()
            .replace(/\n[^\n]*\n$/, '\n'),
        ),
    ],
    ['changed in a row', (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().replace('middle', 'medium'))],
    ['extended by a row', (bytes: Buffer) => gzipSync(`${gunzipSync(bytes)}["1"]\n`)],
  ])('of a file that is %s is rejected without writing', async (_name, change) => {
    await writeFile(file(), change(Buffer.from(original)));
    const other = await seeded();
    const before = await contentOf(other.db);
    await expect(restoreBackup(other.config, { file: file(), present: ExistingData.replace })).rejects.toThrow(
      /^The backup is damaged or incomplete \(.*Nothing was written\.$/,
    );
    expect(await contentOf(other.db)).toEqual(before);
  });

  test('of a missing or invalid file is rejected', async () => {
    const config = await emptyDatabase();
    const ask = () => restoreBackup(config, { file: file(), present: ExistingData.keep });
    await expect(ask()).rejects.toThrow(/^Could not read .*backup \(ENOENT\)\.$/);
    await writeFile(file(), gzipSync('{"some":"thing"}\n'));
    await expect(ask()).rejects.toThrow('The file is not a backup of pa-platform.');
    await writeFile(file(), 'text');
    await expect(ask()).rejects.toThrow('The backup is damaged');
  });

  test('of a backup of a newer platform is rejected', async () => {
    await backedUp();
    const config = await emptyDatabase();
    const ask = () => restoreBackup(config, { file: file(), present: ExistingData.keep });
    await rewrite(withHeader(header => ({ ...header, schemaVersion: currentVersion() + 1 })));
    await expect(ask()).rejects.toThrow('The backup was made by a newer pa-platform');
    await rewrite(withHeader(header => ({ ...header, schemaVersion: currentVersion() - 1 })));
    await expect(ask()).rejects.toThrow('an unreleased pa-platform');
    await rewrite(withHeader(header => ({ ...header, formatVersion: 2 })));
    await expect(ask()).rejects.toThrow('made by a newer pa-platform');
  });

  test('of unknown table names does not reach the database', async () => {
    await backedUp();
    const config = await emptyDatabase();
    const ask = () => restoreBackup(config, { file: file(), present: ExistingData.keep });
    await rewrite(lines => lines.map(line => line.replace('"folders"', '"f; drop"').replace('"folders"', '"f; drop"')));
    await expect(ask()).rejects.toThrow(
      'which this version does not have. Restore it with the version that created it',
    );
  });

  test('keeps a database with content unless replacement is requested', async () => {
    await backedUp();
    const other = await seeded();
    await addFolder(other.db, null);
    const before = await contentOf(other.db);
    const ask = (present: ExistingData) => restoreBackup(other.config, { file: file(), present });
    await expect(ask(ExistingData.keep)).rejects.toThrow(
      /^The database is not empty \(folders\)\. Restore into an empty database, or pass --replace .*$/,
    );
    expect(await contentOf(other.db)).toEqual(before);
    await ask(ExistingData.replace);
    expect(await contentOf(other.db)).toEqual(content);
  });

  test('treats the content of a first start as empty, and the platform starts on the result', async () => {
    await backedUp();
    const other = await seeded();
    // The jobs that a process creates when it starts.
    const kinds = ['clean-up', 'content-check', 'notification-schedule'];
    for (const kind of kinds) await ensureRecurringJob(other.db, kind, 60_000);
    await restoreBackup(other.config, { file: file(), present: ExistingData.keep });
    expect(await contentOf(other.db)).toEqual(content);
    await seed(other.db, { adminKeyHash: 'another hash', groups: ['Sales', 'More'] });
    await addFolder(other.db, null);
  });

  test('that fails halfway changes nothing, including sequences', async () => {
    await backedUp();
    const other = await seeded();
    await addFolder(other.db, null);
    const before = [await contentOf(other.db), await sequencesOf(other.db)];
    // A missing folder.
    await rewrite(lines => lines.map(line => line.replace('["904",', '["905",')));
    await expect(restoreBackup(other.config, { file: file(), present: ExistingData.replace })).rejects.toThrow();
    expect([await contentOf(other.db), await sequencesOf(other.db)]).toEqual(before);
  });

  test('is rejected while a platform uses the database', async () => {
    await backedUp();
    const other = await seeded();
    await other.db.transaction(async tx => {
      await addFolder(tx, null);
      await expect(restoreBackup(other.config, { file: file(), present: ExistingData.replace })).rejects.toThrow(
        'The database is in use. Stop the platforms that use it, then restore again.',
      );
    });
  });

  test('of an older release is migrated', async () => {
    const versions = migrations().map(({ folderMillis }) => folderMillis);
    const old = versions.at(-2) ?? 0;
    const config = await emptyDatabase();
    const db = await open(config);
    await backUp(config, { file: file() });
    // A database of the older release, with rows.
    await db.transaction(async tx => {
      await tx.execute(sql`drop schema public cascade`);
      await tx.execute(sql`create schema public`);
      await tx.execute(sql`delete from drizzle.__drizzle_migrations`);
      await migrateBetween(tx, 0, old);
      await tx.execute(sql`insert into accounts (name) values ('old')`);
    });
    const { tables } = await readCatalog(db);
    await rewrite(() => [
      JSON.stringify({
        format: 'pa-platform backup',
        formatVersion: 1,
        madeAt: '',
        schemaVersion: old,
        tables: tables.map(({ name, columns }) => ({
          name,
          columns: columns.map(column => column.name),
          rows: name === 'accounts' ? 1 : 0,
        })),
        sequences: [{ table: 'accounts', column: 'id', next: '8' }],
      }),
      '{"table":"accounts"}',
      JSON.stringify(
        tables
          .find(({ name }) => name === 'accounts')
          ?.columns.map(({ name }) => ({ id: '1', name: 'old' })[name] ?? '{}'),
      ),
    ]);
    const other = await seeded();
    await restoreBackup(other.config, { file: file(), present: ExistingData.keep });
    const fresh = await seeded();
    expect((await contentOf(other.db)).accounts).toEqual(['(1,old,{},{})']);
    expect(await columnsOf(other.db)).toEqual(await columnsOf(fresh.db));
    const { rows } = await other.db.execute<{ at: string }>(
      sql`select created_at as at from drizzle.__drizzle_migrations order by created_at`,
    );
    expect(rows.map(({ at }) => Number(at))).toEqual(versions);
  });
});

async function columnsOf(db: Db): Promise<unknown> {
  return (await readCatalog(db)).tables;
}
