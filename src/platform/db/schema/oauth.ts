import { index, json, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.js';
import { users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';

/** Services from which users get tokens with OAuth 2.0. */
export const oauthIntegrations = pgTable('oauth_integrations', {
  id: id(),
  name: text().notNull().unique(),
  type: text().notNull(),
  authUrl: text().notNull(),
  tokenUrl: text().notNull(),
  redirectUri: text().notNull(),
  clientId: text().notNull(),
  sealedSecret: text().notNull(),
  scopes: json().$type<readonly string[]>().notNull().default([]),
  config: json().$type<JsonObject>(),
  /** Variable of the data source's URL that contains the token of `dataUserId`. */
  targetEnvVar: text().unique(),
  /** The user who set `targetEnvVar`. */
  dataUserId: ref().references(() => users.id, { onDelete: 'set null' }),
  createdAt: createdAt(),
  updatedAt: createdAt(),
});

/** Tokens of users, encrypted. */
export const userOauthTokens = pgTable(
  'user_oauth_tokens',
  {
    id: id(),
    integrationId: ref()
      .notNull()
      .references(() => oauthIntegrations.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sealedAccessToken: text(),
    sealedRefreshToken: text(),
    accessTokenExpiresAt: moment(),
    refreshTokenExpiresAt: moment(),
    lastError: json().$type<{ readonly code: string; readonly at: string }>(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  table => [unique().on(table.userId, table.integrationId), index().on(table.integrationId)],
);
