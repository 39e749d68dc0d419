export type { IssuerSettings } from './auth/issuer-tokens.js';
export { createPlatform, type Platform } from './create-platform.js';
export type { CacheUse, QueryEvent, QueryOutcome, QueryTimes } from './data/answers/query-event.js';
export type { QueryLimits } from './data/query-limits.js';
export type { ChannelOptions } from './delivery/channels/channel-options.js';
export type { MailOptions } from './delivery/mail/mail-options.js';
export type { LlmOptions } from './open-chat.js';
export type { OidcOptions } from './people/sign-in/oidc-options.js';
export type { PlatformOptions } from './platform-options.js';
