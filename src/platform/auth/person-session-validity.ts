import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { personSessions } from '../db/schema.js';

/** Default lifetime of a session in hours. An administrator can change it (`sessionLifetimeHours`). */
export const defaultLifetimeHours = 12;
/** Default time in minutes after which a session ends without an exchange of its cookie (`sessionIdleMinutes`). */
export const defaultIdleMinutes = 120;

const setting = (name: string, byDefault: number): SQL =>
  sql.raw(`(select coalesce((tenant_settings->>'${name}')::integer, ${byDefault}) from accounts limit 1)`);

/** SQL expression: the lifetime of sessions of users, as an interval. */
export const sessionLifetime = sql`${setting('sessionLifetimeHours', defaultLifetimeHours)} * interval '1 hour'`;
const idleTime = sql`${setting('sessionIdleMinutes', defaultIdleMinutes)} * interval '1 minute'`;

/**
 * SQL condition: the session of a user has not ended. The settings of the account apply to existing sessions too. A
 * session with a token of the configured issuer ends with that token.
 */
export const isValidPersonSession = and(
  gt(personSessions.expiresAt, sql`now()`),
  or(
    eq(personSessions.method, 'issuer'),
    and(
      gt(personSessions.createdAt, sql`now() - ${sessionLifetime}`),
      gt(personSessions.lastUsedAt, sql`now() - ${idleTime}`),
    ),
  ),
) as SQL;
