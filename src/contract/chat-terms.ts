// Separate from the schemas, because reading a stream requires no schema.

/** Path of an agent's Chat API, relative to the base URL of its service. */
export const chatPath = '/api/v1/public/{account}/{scope}/{scopeId}/chat';

/** Ids of frames that are not messages. */
export const FrameId = {
  cutoff: '__cutoff__',
  state: '__state__',
  aborted: '__aborted__',
  suspended: '__suspended__',
  usage: '__usage__',
} as const;

/** Codes of the frames that end a stream early. */
export const ChatEndCode = { aborted: 'chat_aborted', suspended: 'chat_suspended' } as const;

/** Reason why a turn ended. */
export const FinishReason = {
  /** The answer is complete. */
  stop: 'stop',
  /** The user stopped the answer. */
  aborted: 'aborted',
  /** The answer failed. */
  failed: 'failed',
  /** The answer reached its limit of steps or tokens. */
  length: 'length',
  /** The service was shut down; the answer can be resumed within 24 hours. */
  suspended: 'suspended',
} as const;
/** Reason why a turn ended. */
export type FinishReason = (typeof FinishReason)[keyof typeof FinishReason];

/** Nodes of the agent, as named in `graphPath`. */
export const GraphNode = { analyst: 'data_analyst_agent', tools: 'tools', final: 'final' } as const;

/**
 * Names of the tools. `setDashboardControls` is available only for messages about a dashboard whose controls can be
 * set, and `readQuestion` only to language models.
 */
export const ToolName = {
  modelMeta: 'modelMeta',
  dataQuery: 'dataQuery',
  readQuestion: 'readQuestion',
  setDashboardControls: 'setDashboardControls',
  suggestReplies: 'suggestReplies',
} as const;

/** Maximum number of suggested replies per tool call. */
export const maxReplies = 6;
/** Maximum number of characters of a suggested reply. */
export const maxReplyLength = 200;

/** Maximum number of rows in a tool's result; `totalRows` is the full number. */
export const maxToolRows = 100;
