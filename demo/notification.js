import { addNotificationRecipients, createNotification, listNotifications } from 'pa-embed/client';
import { tenants } from './host/tenants.js';

/**
 * Mails a dashboard to every tenant each morning, with the tenant's own rows. Resolves with the id of the notification.
 */
export async function scheduleReport({ platformUrl, adminKey, publicId }) {
  const connection = { baseUrl: platformUrl, token: adminKey };
  const { items } = await listNotifications(connection, 1, { dashboardPublicId: publicId });
  const { id } =
    items.find(({ subscriberId }) => subscriberId === null) ??
    (await createNotification(connection, 1, {
      dashboardPublicId: publicId,
      scheduleType: 'DAILY',
      hour: 7,
      timezone: 'America/Chicago',
      notificationAiSummary: true,
    }));
  const recipients = tenants.map(({ id, user, airport }) => ({
    type: 'EMBED_USER',
    embedTenantName: id,
    externalId: user,
    securityContext: { airport },
  }));
  await addNotificationRecipients(connection, { deploymentId: 1, id }, recipients);
  return id;
}
