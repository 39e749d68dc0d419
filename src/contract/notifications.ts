import * as z from 'zod/mini';
import { JsonObject, openEnum, optional } from './wire.js';

/** A scheduled delivery of a dashboard, as far as the specification names its fields (spec 2.8). */
export const Notification = z.looseObject({
  id: z.int(),
  dashboardId: z.int(),
  deploymentId: z.int(),
  filters: optional(z.array(JsonObject)),
  timeGrains: optional(z.array(JsonObject)),
});

/** Who receives a notification (spec 2.8). */
export const NotificationRecipient = z.looseObject({
  type: openEnum(['USER', 'EMBED_USER', 'SLACK']),
  username: optional(z.string()),
});
