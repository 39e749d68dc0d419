/** True for a UUID, in any letter case. Postgres fails on a comparison of a `uuid` column with any other text. */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
