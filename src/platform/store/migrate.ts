import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { type Db, migrationsFolder } from './database.js';

/** All migrations, the first one first; the time of one is the version that a database has after it. */
export function migrations(): readonly MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/** The version of this release. */
export function currentVersion(): number {
  return migrations().at(-1)?.folderMillis ?? 0;
}

/** The version that a database has; 0 of one that was never migrated. */
export async function versionOf(db: Db): Promise<number> {
  const { rows: tables } = await db.execute<{ known: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`,
  );
  if (!tables[0]?.known) return 0;
  const { rows } = await db.execute<{ version: string | null }>(
    sql`select max(created_at)::text as version from drizzle.__drizzle_migrations`,
  );
  return Number(rows[0]?.version ?? 0);
}

/** Runs those migrations that lie between two versions, in the transaction that it is given. */
export async function migrateBetween(tx: Db, after: number, until: number): Promise<void> {
  const between = migrations().filter(({ folderMillis }) => folderMillis > after && folderMillis <= until);
  for (const { sql: statements, hash, folderMillis } of between) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
