import * as z from 'zod/mini';
import * as chat from '../src/contract/chat.js';
import * as chatFeedback from '../src/contract/chat-feedback.js';
import * as chatProtocols from '../src/contract/chat-protocols.js';
import * as data from '../src/contract/data.js';
import { generateSql } from '../src/contract/generated-sql.js';
import { loadBatch, maxBatchRequests } from '../src/contract/load-batch.js';
import { MetaResponse, meta } from '../src/contract/meta.js';
import type { OperationShape, Schema } from '../src/contract/operation.js';
import * as query from '../src/contract/query.js';
import { runSql } from '../src/contract/run-sql.js';
import { SqlRequest } from '../src/contract/sql.js';
import { type Family, families as platformFamilies } from '../src/platform/http/operations.js';

/** Title and address of a family of operations on the site. */
export interface FamilyTitle {
  readonly title: string;
  /** Last segment of the address of its page. */
  readonly slug: string;
}

const schemasOf = (module: object): (readonly [string, Schema])[] =>
  Object.entries(module).filter((entry): entry is [string, Schema] => entry[1] instanceof z.ZodMiniType);

const LoadBatchRequest = z.strictObject({
  requests: z.array(query.LoadRequest).check(z.minLength(1), z.maxLength(maxBatchRequests)),
});

/** The operations of the Data API that clients call. `/v1/subscribe` and `/v1/dry-run` accept the same body. */
const dataFamily: Family = {
  name: 'data',
  // The contract only types these bodies, so that pages do not load their schemas.
  operations: [
    { ...data.load, body: query.LoadRequest },
    { ...loadBatch, body: LoadBatchRequest },
    { ...runSql, body: SqlRequest },
    meta,
  ],
  schemas: [...schemasOf(query), ...schemasOf(data), ['MetaResponse', MetaResponse], ['SqlRequest', SqlRequest]],
};

const chatModules = { ...chat, ...chatFeedback, ...chatProtocols };

const chatFamily: Family = {
  name: 'chat',
  operations: Object.values<unknown>(chatModules).filter(isOperation),
  schemas: schemasOf(chatModules),
};

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'object' && value !== null && 'api' in value && value.api === 'chat';
}

/** An OpenAPI document has one operation per route; this one shares its route with `runSql`. */
const generatedSqlFamily: Family = {
  name: 'data',
  operations: [{ ...generateSql, body: z.strictObject({ query: query.Query }) }],
  schemas: schemasOf(query),
};

/** The families of each OpenAPI document. */
export const documents: readonly (readonly Family[])[] = [
  [...platformFamilies, dataFamily, chatFamily],
  [generatedSqlFamily],
];

/** All families that the site documents. */
export const families: readonly Family[] = documents.flat();

const titles: Readonly<Record<string, string>> = {
  'api keys': 'API keys',
  chat: 'Chat API',
  comments: 'Embed comments',
  'content batches': 'Content as code',
  data: 'Data API',
  embed: 'Embed sessions and dashboards',
  grants: 'Embed sessions and dashboards',
  repository: 'Repository connection',
  'repository installations': 'Git hosts',
  spec: 'OpenAPI document',
  subscriptions: 'Embed subscriptions',
  tenants: 'Embed tenants',
};

/** Returns how the site shows a family. Two families can share a title. */
export function familyTitle(name: string): FamilyTitle {
  const title = titles[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
  return { title, slug: title.toLowerCase().replaceAll(' ', '-') };
}
