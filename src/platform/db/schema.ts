export * from './schema/accounts.js';
export * from './schema/chat.js';
export * from './schema/content.js';
export * from './schema/deployments.js';
export * from './schema/exports.js';
export * from './schema/notifications.js';
export * from './schema/records.js';
export * from './schema/sign-in.js';
