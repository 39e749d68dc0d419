/** Maximum and default number of rows that one query returns. */
export const RowLimit = { default: 10_000, max: 50_000 } as const;
