import { PlatformError } from '../errors.js';
import { problemOfStatus, UpstreamProblem } from './upstream-problem.js';

/** Most bytes that are read of a refusal, and most characters that are told of it. */
export const maxRefusalBytes = 64 * 1024;
const maxMessage = 500;
/** The caller's own doing, as far as the caller can tell them apart; others are told as 400. */
const told: ReadonlySet<number> = new Set([404, 405, 408, 413, 414, 415, 422]);

/**
 * What a caller is told of an answer other than 200.
 * @param body - its beginning, of which nothing is told but the message.
 */
export function refusalOf(status: number, body: string): PlatformError {
  const problem = problemOfStatus(status);
  if (problem) return problem;
  const message = messageOf(body);
  if (message === null && (status === 404 || status === 405)) {
    return new UpstreamProblem('unfit', `has no Data API at this address (${status}): look at its base path.`);
  }
  return new PlatformError(told.has(status) ? status : 400, message ?? 'The data service refused the request.');
}

/** A cluster says `error`, an edge before it `message`; null for what is neither. */
function messageOf(body: string): string | null {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    // The page of something that stands before the cluster.
    return null;
  }
  const { error, message } = Object(said);
  const text = [error, message].find(value => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plain(text) : null;
}

/** One line of text of bounded length, without the places in code that some servers add, and without anything that looks like a token. */
export function plain(text: string): string {
  return text
    .slice(0, 4 * maxMessage)
    .replace(/\s+at \S[^\n]*:\d+:\d+\)?[\s\S]*$/, '')
    .replaceAll(/\beyJ[\w-]+(\.[\w-]*){0,2}/g, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxMessage);
}
