import * as z from 'zod/mini';
import { optional } from './wire.js';

/** A group of an embed tenant (spec 2.1); `userCount` is its number of members. */
export const UserGroup = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: optional(z.string()),
  userCount: optional(z.int()),
});
/** A group of an embed tenant (spec 2.1). */
export type UserGroup = z.infer<typeof UserGroup>;
