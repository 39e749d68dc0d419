/** The SQLSTATE of what the database threw, like `23505` of a unique violation; null for everything else. */
export function databaseCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null;
  return typeof code === 'string' ? code : null;
}

/** SQLSTATEs of constraints that a writer met. */
export const DatabaseCode = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
} as const;
