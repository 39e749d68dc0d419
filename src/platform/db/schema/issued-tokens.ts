import { boolean, index, json, pgTable, text } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.js';
import { createdAt, id, moment } from './columns.js';

/** Keys that sign tokens for other services. Tokens are signed with the newest key whose `signsFrom` has passed. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    kid: text().primaryKey(),
    publicJwk: json().$type<JsonObject>().notNull(),
    /** The private JWK, encrypted. */
    sealedJwk: text().notNull(),
    signsFrom: moment().notNull(),
    createdAt: createdAt(),
  },
  table => [index().on(table.signsFrom)],
);

/** Configurations of tokens for other services. */
export const oidcTokenConfigs = pgTable('oidc_token_configs', {
  id: id(),
  name: text().notNull().unique(),
  audienceType: text().$type<'aws' | 'azure' | 'custom'>().notNull(),
  audience: text().notNull(),
  customClaims: json().$type<JsonObject>(),
  isEnabled: boolean().notNull().default(true),
  subFormat: text(),
  targetEnvVar: text().unique(),
  createdAt: createdAt(),
  updatedAt: createdAt(),
});
