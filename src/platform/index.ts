export { createPlatform, type Platform, type PlatformOptions } from './create-platform.js';
export type { CacheUse, QueryEvent, QueryOutcome, QueryTimes } from './data/query-event.js';
export type { LlmOptions } from './llm-options.js';
export type { QueryLimits } from './query-limits.js';
