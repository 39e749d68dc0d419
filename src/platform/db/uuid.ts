/**
 * True for a UUID, in any letter case. Use this check before comparing text with a `uuid` column, because Postgres
 * rejects any other text.
 */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
