/** Most rows that one query returns, and how many it returns when it doesn't say. */
export const RowLimit = { default: 10_000, max: 50_000 } as const;
