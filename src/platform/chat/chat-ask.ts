import { createHash } from 'node:crypto';
import type { ChatImage } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';
import type { ChatAsk } from './chat-service.js';

const titleLength = 80;

/** What a user wrote. */
export interface Prompt {
  readonly input: string;
  readonly images: readonly ChatImage[];
  /** Equal for what is the same. */
  readonly hash: string;
}

/** An ask for a thread as it stands. */
export interface ReadAsk {
  readonly type: 'read';
  readonly chatId: string;
}

/** An ask for a turn: one to begin, or one that has begun. */
export interface TurnAsk {
  readonly type: 'turn';
  readonly chatId: string | null;
  readonly messageId: string | null;
  /** Null where the turn must be there already. */
  readonly prompt: Prompt | null;
  readonly lastEventId: string | null;
}

/** Tells what is asked. @throws PlatformError 400 where nothing is. */
export function readAsk({ chatId, messageId, input, images, lastEventId }: ChatAsk): ReadAsk | TurnAsk {
  const prompt = input === null && images.length === 0 ? null : promptOf(input ?? '', images);
  if (!prompt && messageId === null) {
    if (chatId === null) throw new PlatformError(400, 'Send a message (input), or name a thread (chatId) to read.');
    return { type: 'read', chatId };
  }
  return { type: 'turn', chatId, messageId, prompt, lastEventId };
}

function promptOf(text: string, images: readonly ChatImage[]): Prompt {
  // As the database can hold it: halves of surrogate pairs, and the one character that it refuses, are replaced.
  const input = Buffer.from(text.replaceAll('\0', '\uFFFD')).toString();
  if (input.trim() === '' && images.length === 0) throw new PlatformError(400, 'input: must not be empty');
  const parts = [input, ...images.flatMap(({ mimeType, data, name }) => [mimeType, data, name ?? null])];
  return { input, images, hash: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
}

/** Title of a thread that begins with this message. */
export function titleOf({ input, images }: Prompt): string {
  const line = input.trim().split(/[\r\n]/, 1)[0] ?? '';
  const title = [...line].slice(0, titleLength).join('').slice(0, titleLength).trim();
  return title || images[0]?.name?.slice(0, titleLength) || 'Image';
}
