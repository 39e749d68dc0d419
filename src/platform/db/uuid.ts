/**
 * True for a UUID, in any letter case. Check before comparing with a `uuid` column, because Postgres fails for any
 * other text.
 */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
