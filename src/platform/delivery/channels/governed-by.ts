import type { NotificationRecipientInput } from '../../../contract/notification-recipients.js';
import type { JsonObject } from '../../../contract/wire.js';

/** Returns the fields of a recipient that determine what it may read. */
export function governedBy({ groups, userAttributes, securityContext }: NotificationRecipientInput): JsonObject {
  return {
    ...(groups != null && { groups }),
    ...(userAttributes != null && { userAttributes }),
    ...(securityContext != null && { securityContext }),
  };
}
