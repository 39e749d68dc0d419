/** Maximum number of rows per query, and the default. */
export const RowLimit = { default: 10_000, max: 50_000 } as const;
