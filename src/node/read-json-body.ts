import { PaError, PaErrorCode } from '../client/errors.js';
import { isRecord } from '../client/http/fetch.js';
import { bodyConsumedMessage } from './page-responses.js';

/**
 * Reads a JSON object from the body of a request of a page.
 * @throws {PaError} with status 400, 413, 415, or 500 if a framework has consumed the body.
 */
export async function readJsonBody(request: Request, maxBodyBytes: number): Promise<Readonly<Record<string, unknown>>> {
  // Forms of other sites cannot send this content type.
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw refusal(415, 'The request body must be JSON with the content type application/json.');
  }
  if (request.bodyUsed) throw new PaError(PaErrorCode.invalidOptions, bodyConsumedMessage, { status: 500 });
  const body = parse(await readBody(request, maxBodyBytes));
  if (!isRecord(body)) throw refusal(400, 'The request body must be a JSON object.');
  return body;
}

async function readBody({ body }: Request, maxBodyBytes: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    size += chunk.value.length;
    if (size > maxBodyBytes) throw refusal(413, `The body must not exceed ${sizeText(maxBodyBytes)}.`);
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(status: number, message: string): PaError {
  return new PaError(PaErrorCode.badRequest, message, { status });
}
