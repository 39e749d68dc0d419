import * as z from 'zod/mini';

/** Schema of an optional field. Omitting it and sending `null` both mean "not set". */
export const optional = z.nullish;

/**
 * Returns the schema of a record with arbitrary keys: `z.record(z.string(), value)`, built from parts of zod that every
 * page already loads.
 * @__NO_SIDE_EFFECTS__
 */
export function recordOf<T extends z.ZodMiniType>(value: T) {
  return z.catchall(z.object({}), value);
}

/** JSON object with arbitrary keys, which are preserved. */
export const JsonObject = recordOf(z.unknown());
/** JSON object with arbitrary keys, which are preserved. */
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * Returns the schema of a whole number in a URL, as a string of up to `maxDigits` digits.
 * @param min - smallest valid number, used only in the message about negative numbers.
 * @__NO_SIDE_EFFECTS__
 */
export function digits(maxDigits: number, min: 0 | 1): z.ZodMiniString<string> {
  const error = ({ input }: { readonly input?: unknown }) =>
    /^-\d+$/.test(String(input))
      ? `must be ${min === 0 ? '0 or greater' : 'greater than 0'}`
      : 'must be a whole number';
  return z.string().check(z.regex(new RegExp(`^\\d{1,${maxDigits}}$`), { error }));
}

/** Numeric id in a path: digits, parsed as a positive safe integer. */
export const IdParam = z.pipe(
  z.union([z.number(), digits(15, 1)]),
  z.pipe(z.transform(Number), z.int('must be a whole number').check(z.positive('must be greater than 0'))),
);

/** `publicId` of a report or dashboard: exactly 12 characters of `[0-9A-Za-z]` (spec 2.2). */
export const PublicId = z.string().check(z.regex(/^[0-9A-Za-z]{12}$/, 'must be 12 letters (A-Z, a-z) or digits'));

/** Name of an embed tenant (`GenerateSession` schema). */
export const EmbedTenantName = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9-]{0,34}[a-z0-9]$/,
      'must be 2 to 36 characters: lowercase letters, digits and hyphens, starting with a letter and not ending with a hyphen',
    ),
  );

/** A value of an open set: a known value, or one from a newer platform. */
export type Open<T extends string> = T | (string & {});

/**
 * Returns the schema of an enum in responses: known values are typed, unknown values are preserved as strings. Requests
 * use `z.enum` with the same list.
 * @__NO_SIDE_EFFECTS__
 */
export function openEnum<const T extends readonly string[]>(
  _values: T,
): z.ZodMiniType<Open<T[number]>, Open<T[number]>> {
  return z.string();
}

/** Position of a page in a list (cursor pagination). */
export const PageInfo = z.looseObject({
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
  startCursor: optional(z.string()),
  endCursor: optional(z.string()),
});
/** Position of a page in a list (cursor pagination). */
export type PageInfo = z.infer<typeof PageInfo>;

/**
 * Cursor pagination parameters. `first` is the page size, from 1 to 1,000 (default: 1,000); `after` is an opaque cursor
 * from `pageInfo.endCursor`. A page of large items may have fewer items than `first`; use `hasNextPage` to detect the
 * last page.
 */
export const PageQuery = z.strictObject({
  first: z.optional(z.pipe(z.union([z.number(), digits(9, 1)]), z.pipe(z.transform(Number), z.int().check(z.gte(1))))),
  after: z.optional(z.string()),
});

/** Query of a paged list that can be searched: `search` matches part of a name, ignoring case. */
export const SearchQuery = z.extend(PageQuery, { search: z.optional(z.string().check(z.maxLength(255))) });

/** Boolean query parameter. */
export const Flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform(value => value === true || value === 'true'),
);

/**
 * Returns the schema of one page of a list. `data` and `count` are deprecated equivalents of `items` and the total
 * (spec 4.5). With `countIsCapped`, there are at least `count` items.
 * @__NO_SIDE_EFFECTS__
 */
export function pageOf<T extends z.ZodMiniType>(item: T) {
  return z.looseObject({
    items: z.array(item),
    pageInfo: PageInfo,
    data: z.optional(z.array(item)),
    count: z.optional(z.int()),
    countIsCapped: z.optional(z.boolean()),
  });
}

/** Summary of a user who owns or last changed an item (spec 2.2, user summary). */
export const UserSummary = z.looseObject({
  id: z.int(),
  email: z.string(),
  firstName: optional(z.string()),
  picture: optional(z.string()),
});
/** Summary of a user who owns or last changed an item (spec 2.2, user summary). */
export type UserSummary = z.infer<typeof UserSummary>;

/** A folder on the path of an item, outermost first. */
export const FolderPathEntry = z.looseObject({ id: z.int(), name: z.string() });

/** Types of workspace items (spec 2.2, `type`). */
export const itemTypes = ['FOLDER', 'WORKBOOK', 'REPORT'] as const;
/** Type of a workspace item (spec 2.2, `type`). */
export const ItemType = openEnum(itemTypes);
/** Type of a workspace item. */
export type ItemType = (typeof itemTypes)[number];
