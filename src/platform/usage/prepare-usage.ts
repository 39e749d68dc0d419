import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { DatabaseCode, type Db, databaseCode } from '../db/database.js';

/** Schema of the views that the model of the platform's usage reads. */
export const usageSchema = 'usage_analytics';

/** Arbitrary key that no other advisory lock on this database uses. */
const usageLock = 7_265_002;

/**
 * Creates the views of the platform's usage, and a role that can read only these views.
 * @returns the name of the role, which belongs to this database only.
 * @throws Error if the database does not allow the platform to create a role.
 */
export async function prepareUsage(db: Db): Promise<string> {
  try {
    return await db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(${usageLock})`);
      const { rows } = await tx.execute<{ role: string; exists: boolean; isSuperuser: boolean }>(
        sql`select role, exists(select from pg_roles where rolname = role) as exists,
          (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser"
          from (select 'pa_usage_' || left(md5(current_database()), 12) as role) as names`,
      );
      const [found] = rows;
      if (!found) throw new Error('The database did not return the name of its role.');
      const role = sql.identifier(found.role);
      if (!found.exists) await tx.execute(sql`create role ${role} nologin`);
      // A superuser can use every role.
      if (!found.isSuperuser) await tx.execute(sql`grant ${role} to current_user`);
      const schema = sql.identifier(usageSchema);
      await tx.execute(sql`create schema if not exists ${schema}`);
      await tx.execute(sql`create or replace view ${schema}.queries as
        select q.id, q.at, q.operation, q.status, q.outcome, q.cache, q.rows, q.queue_ms, q.engine_ms, q.total_ms,
          q.user_id, u.username, t.name as embed_tenant
        from query_log q left join users u on u.id = q.user_id left join embed_tenants t on t.id = q.embed_tenant_id`);
      await tx.execute(sql`grant usage on schema ${schema} to ${role}`);
      await tx.execute(sql`grant select on ${schema}.queries to ${role}`);
      return found.role;
    });
  } catch (error) {
    if (databaseCode(error) !== DatabaseCode.insufficientPrivilege) throw error;
    const message =
      'Usage analytics requires a role that can create roles and schemas. Grant it, or turn off usage analytics.';
    throw new Error(message, { cause: error });
  }
}

/** Returns the URL of a database whose sessions have only the permissions of a role. */
export function urlWithRole(connection: pg.PoolConfig, role: string): string {
  const { connectionString, user = '', database = '', host = '', port } = connection;
  const url = new URL(connectionString ?? `postgres://${encodeURIComponent(user)}@localhost/${database}`);
  if (connectionString === undefined) {
    url.searchParams.set('host', host);
    url.searchParams.set('port', String(port));
  }
  const options = url.searchParams.get('options');
  url.searchParams.set('options', `${options === null ? '' : `${options} `}-c role=${role}`);
  return url.href;
}
