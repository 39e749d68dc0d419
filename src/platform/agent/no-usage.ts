import type { ChatUsage } from '../../contract/chat.js';

/** What an answer takes that asks no language model, or has not begun. */
export const noUsage: ChatUsage = {
  models: [],
  llmCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  totalTokens: 0,
};
