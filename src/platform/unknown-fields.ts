import * as z from 'zod/mini';
import { ChatSessionSettings } from '../contract/chat.js';
import type { Schema } from '../contract/operation.js';
import { Query } from '../contract/query.js';
import { nearName } from './data/sql/near-name.js';

/**
 * Names that are rejected at the top level of a body: without the field, an answer could hold more than the caller asked for, or rows
 * instead of SQL (`format`).
 */
const restrictiveNames = [
  ...Object.keys(Query.shape),
  ...Object.keys(ChatSessionSettings.shape),
  'subqueryJoins',
  'memberExpressions',
  'expression',
  'functions',
  'format',
  '__proto__',
];

/** Names are compared letter by letter, so a body with more unknown fields is left to its schema, which rejects it. */
const maxUnknownFields = 100;

/**
 * Removes the top-level fields that a schema does not know, so that clients of newer versions can call. Keeps fields whose name
 * equals or resembles a known or restrictive name, so that the strict schema rejects them.
 */
export function dropUnknownFields(schema: Schema, body: unknown): unknown {
  if (!(schema instanceof z.ZodMiniObject) || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  const known = Object.keys(schema.shape);
  const isUnknown = (name: string) => !known.includes(name);
  const entries = Object.entries(body);
  if (entries.filter(([name]) => isUnknown(name)).length > maxUnknownFields) return body;
  const names = [...known, ...restrictiveNames];
  const isRejected = (name: string) => names.includes(name) || nearName(name, names) !== undefined;
  return Object.fromEntries(entries.filter(([name]) => isRejected(name)));
}
