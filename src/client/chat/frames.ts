import type { ChatFrame } from '../../contract/chat.js';
import { PaError, PaErrorCode } from '../errors.js';

/** How the frames of an answer are read. */
export interface FrameOptions {
  /** Called for every frame in order; `eventId` where the stream is one of Server-Sent Events that names it. */
  readonly onFrame: (frame: ChatFrame, eventId: string | null) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the frames of one answer, NDJSON or Server-Sent Events by its content type, to its end. */
export async function readFrames(response: Response, options: FrameOptions): Promise<{ sawUsage: boolean }> {
  await Promise.resolve({ response, options });
  throw new PaError(PaErrorCode.invalidResponse, 'Not there yet.');
}
