import * as z from 'zod/mini';

/** A record key that a caller may leave out or send as null; both mean "not given". */
export const optional = z.nullish;

/**
 * A record whose keys are the sender's: `z.record(z.string(), value)`, out of what every page loads already.
 * @__NO_SIDE_EFFECTS__
 */
export function recordOf<T extends z.ZodMiniType>(value: T) {
  return z.catchall(z.object({}), value);
}

/** Free JSON object: its keys belong to whoever wrote it. */
export const JsonObject = recordOf(z.unknown());
/** Free JSON object: its keys belong to whoever wrote it. */
export type JsonObject = z.infer<typeof JsonObject>;

/** Numeric id in a path: digits as text, read as a positive safe integer. */
export const IdParam = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number'))]),
  z.pipe(z.transform(Number), z.int('must be a whole number').check(z.positive('must be greater than 0'))),
);

/** `publicId` of a report or dashboard: exactly 12 of `[0-9A-Za-z]` (spec 2.2). */
export const PublicId = z.string().check(z.regex(/^[0-9A-Za-z]{12}$/, 'must be 12 letters (A-Z, a-z) or digits'));

/** Name of an embed tenant (`GenerateSession` schema). */
export const EmbedTenantName = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9-]{0,34}[a-z0-9]$/,
      'must be 2 to 36 characters: lower-case letters, digits and hyphens, a letter first, no hyphen last',
    ),
  );

/** A member of an open set: a known value, or one that a newer platform sends. */
export type Open<T extends string> = T | (string & {});

/**
 * An enum as it stands in responses: known values by name, unknown ones survive as text.
 * Requests use `z.enum` over the same list.
 * @__NO_SIDE_EFFECTS__
 */
export function openEnum<const T extends readonly string[]>(
  _values: T,
): z.ZodMiniType<Open<T[number]>, Open<T[number]>> {
  return z.string();
}

/** Where a page of a list stands (cursor paging). */
export const PageInfo = z.looseObject({
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
  startCursor: optional(z.string()),
  endCursor: optional(z.string()),
});
/** Where a page of a list stands (cursor paging). */
export type PageInfo = z.infer<typeof PageInfo>;

/**
 * Cursor paging parameters: `first` is a page size of at least 1, at most and by default 1,000; `after` is an opaque cursor from
 * `pageInfo.endCursor`. A page of large items may hold fewer than `first`; `hasNextPage` tells whether there are more.
 */
export const PageQuery = z.strictObject({
  first: z.optional(
    z.pipe(
      z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number'))]),
      z.pipe(z.transform(Number), z.int().check(z.gte(1))),
    ),
  ),
  after: z.optional(z.string()),
});

/**
 * One page of a list; `data` and `count` are the deprecated twins of `items` and of the total (spec 4.5). With `countIsCapped` there are
 * at least `count` items.
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

/** Who owns or last changed something (spec 2.2, user summary). */
export const UserSummary = z.looseObject({
  id: z.int(),
  email: z.string(),
  firstName: optional(z.string()),
  picture: optional(z.string()),
});
/** Who owns or last changed something (spec 2.2, user summary). */
export type UserSummary = z.infer<typeof UserSummary>;

/** One folder on the way to an item, outermost first. */
export const FolderPathEntry = z.looseObject({ id: z.int(), name: z.string() });

/** What a workspace holds (spec 2.2, `type`). */
export const itemTypes = ['FOLDER', 'WORKBOOK', 'REPORT'] as const;
/** Classification of a workspace item (spec 2.2, `type`). */
export const ItemType = openEnum(itemTypes);
/** Classification of a workspace item. */
export type ItemType = (typeof itemTypes)[number];
