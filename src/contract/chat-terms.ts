// Apart from the schemas: whoever reads a stream needs these and no schema.

/** Where the Chat API of an agent stands below the address of its service. */
export const chatPath = '/api/v1/public/{account}/{scope}/{scopeId}/chat';

/** Ids of the frames that are not messages. */
export const FrameId = {
  cutoff: '__cutoff__',
  state: '__state__',
  aborted: '__aborted__',
  suspended: '__suspended__',
  usage: '__usage__',
} as const;

/** Codes of the frames that end a stream early. */
export const ChatEndCode = { aborted: 'chat_aborted', suspended: 'chat_suspended' } as const;

/** Why a turn came to its end. */
export const FinishReason = {
  /** The answer is whole. */
  stop: 'stop',
  /** Somebody stopped it. */
  aborted: 'aborted',
  /** It failed, or a limit of steps or tokens cut it off. */
  failed: 'failed',
  length: 'length',
  /** The service went down; it can be resumed within 24 hours. */
  suspended: 'suspended',
} as const;
/** Why a turn came to its end. */
export type FinishReason = (typeof FinishReason)[keyof typeof FinishReason];

/** Nodes of the agent as `graphPath` names them. */
export const GraphNode = { analyst: 'data_analyst_agent', tools: 'tools', final: 'final' } as const;

/** Names of the tools that every agent has. */
export const ToolName = { modelMeta: 'modelMeta', dataQuery: 'dataQuery' } as const;

/** Most rows that a tool's result holds; `totalRows` says how many there are. */
export const maxToolRows = 100;
