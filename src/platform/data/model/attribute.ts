import type { SecurityContext } from '../semantic-model.js';

/** A value that a policy writes out. */
export type Scalar = string | number | boolean;

/** What a policy compares with: a value of its own, or a place in the caller's security context. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Scalar }
  | { readonly kind: 'attribute'; readonly path: readonly string[] };

const expression = /^\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,8})\s*\}$/;
const forbidden = new Set(['constructor', 'prototype', '__proto__']);

/**
 * Reads a value of `values` or `if`: a literal, `{ securityContext.<path> }` or `{ userAttributes.<name> }`. Undefined for anything else
 * that has a brace in it: an expression of a policy is data, and nothing of it is ever run.
 */
export function parseOperand(value: unknown): Operand | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return { kind: 'literal', value };
  if (typeof value !== 'string') return undefined;
  if (!/[{}]/.test(value)) return { kind: 'literal', value };
  const path = expression.exec(value)?.[1]?.split('.');
  if (path === undefined || path.some(part => forbidden.has(part))) return undefined;
  const [root, ...rest] = path;
  if (root === 'securityContext') return { kind: 'attribute', path: rest };
  if (root !== 'userAttributes' || rest.length !== 1) return undefined;
  return { kind: 'attribute', path: ['platform', 'userAttributes', ...rest] };
}

/** What an operand stands for with this caller; undefined where the context has nothing of its own there. */
export function resolveOperand(operand: Operand, context: SecurityContext): unknown {
  if (operand.kind === 'literal') return operand.value;
  let value: unknown = context;
  for (const part of operand.path) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
