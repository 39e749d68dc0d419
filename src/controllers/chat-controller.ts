export type { ChatService } from '../client/chat/chat-service.js';
export type {
  ChatPart,
  ChatPrompt,
  ChatStep,
  ChatText,
  ChatTurn,
  Conversation,
  TurnEnd,
} from '../client/chat/conversation.js';
export type { ChatImage, ChatUsage } from '../contract/chat.js';
