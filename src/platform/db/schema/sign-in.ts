import { boolean, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';

/** Passwords of users of the account, as salted hashes with their parameters. */
export const passwords = pgTable('passwords', {
  userId: ref()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  hash: text().notNull(),
  /** Whether the user can sign in with the password while the account requires single sign-on. */
  isBreakGlass: boolean().notNull().default(false),
  changedAt: createdAt(),
});

/** Subjects of issuers that users of the account are linked to. A user has at most one subject of each issuer. */
export const userIdentities = pgTable(
  'user_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  table => [primaryKey({ columns: [table.issuer, table.subject] }), unique().on(table.userId, table.issuer)],
);

/**
 * Sessions of users who signed in. When a session ends, it is deleted, and its key is added to the revoked sessions.
 */
export const personSessions = pgTable(
  'person_sessions',
  {
    id: id(),
    /** Hash of the cookie, or of the token of an issuer. */
    sessionKey: text().notNull().unique(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    method: text().$type<'password' | 'oidc' | 'issuer'>().notNull(),
    createdAt: createdAt(),
    /** Time of the last exchange of the cookie for a token, with a precision of one minute. */
    lastUsedAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  table => [index().on(table.userId), index().on(table.expiresAt)],
);
