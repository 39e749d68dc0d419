import type { MessageTree } from '../../messages/message-format.js';

/** English messages of the dialog in which viewers subscribe to a dashboard by mail. */
export const subscribeMessages = {
  /** Label of the button that opens the dialog, and of the button that subscribes. */
  subscribe: 'Subscribe',
  intro: (email: string) => `Receive this dashboard at ${email} with its current filters.`,
  noEmail: ['No email address', 'Your session has no email address that could receive this dashboard.'],
  frequency: 'Frequency',
  frequencies: { HOURLY: 'Every hour', DAILY: 'Every day', WEEKLY: 'Every week', MONTHLY: 'Every month' },
  time: 'Time',
  weekday: 'Day of the week',
  monthDay: 'Day of the month',
  format: 'Format',
  formats: { png: 'Image in the email', pdf: 'PDF attachment' },
  zone: (name: string) => `Time zone: ${name}`,
  /** Heading of the list of subscriptions. */
  own: 'Your subscriptions',
  none: 'You have no subscriptions to this dashboard.',
  loading: 'Loading your subscriptions…',
  hourly: 'Every hour',
  daily: (time: string) => `Every day at ${time}`,
  weekly: (weekday: string, time: string) => `Every week on ${weekday} at ${time}`,
  monthly: (day: string, time: string) => `Every month on day ${day} at ${time}`,
  next: (time: string) => `Next: ${time}`,
  disabled: 'Disabled by an administrator',
  sendNow: 'Send now',
  end: 'Unsubscribe',
  subscribed: 'Subscribed',
  ended: 'Unsubscribed',
  sending: 'Sending…',
  sent: 'Sent',
  notSent: 'The message could not be sent.',
  sendingLater: 'The message is still being sent.',
  tooMany: 'You have reached the maximum number of subscriptions. Unsubscribe from one first.',
  tooSoon: 'The message was sent within the last minute. Try again later.',
  close: 'Close',
} satisfies MessageTree;

/** Messages of the dialog in which viewers subscribe to a dashboard, in one language. */
export type SubscribeMessages = typeof subscribeMessages;
