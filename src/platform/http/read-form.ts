import { MIMEType } from 'node:util';
import type * as z from 'zod/mini';
import { describeIssues } from '../../contract/messages.js';
import type { OperationShape, Schema } from '../../contract/operation.js';
import { PlatformError } from '../errors.js';
import { TaskQueue } from '../runtime/task-queue.js';
import { readBytes } from './read-body.js';
import { rejectUnstorable } from './serve.js';

/** Bodies that are in memory at the same time. */
const bodies = new TaskQueue({
  concurrency: 3,
  queueLimit: 60,
  rejection: () => new PlatformError(503, 'Too many files are being uploaded. Try again in a moment.'),
});
const maxFields = 20;
const defaultMaxBytes = 1024 * 1024;

type Fields<O extends OperationShape> = O['form'] extends Schema ? z.output<O['form']> : never;

/**
 * Reads the `multipart/form-data` body of a request, and passes its fields to `work`.
 * @param caller - identifies the caller, so that callers take turns.
 * @throws PlatformError 400, 408, 413, 415, 503
 */
export function readForm<O extends OperationShape, T>(
  { form, maxBodyBytes = defaultMaxBytes }: O,
  { request, caller }: { readonly request: Request; readonly caller: string },
  work: (fields: Fields<O>) => Promise<T>,
): Promise<T> {
  const task = async () => {
    const fields = await fieldsOf(request, maxBodyBytes);
    const result = form?.safeParse(fields);
    if (!result?.success) throw new PlatformError(400, describeIssues('body', result?.error.issues ?? []));
    // The cast is safe, because the schema of this operation has validated the fields.
    return work(result.data as Fields<O>);
  };
  return bodies.run(caller, task, request.signal);
}

async function fieldsOf(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? '';
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'multipart/form-data') {
    throw new PlatformError(415, 'Send the body as multipart/form-data.');
  }
  const bytes = await readBytes(request, { maxBytes });
  const boundary = boundaryOf(type);
  rejectManyParts(bytes, boundary);
  // Pass only the boundary whose parts were counted, because parsers differ in how they read a header with several
  // types.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const form = await new Response(bytes, { headers }).formData().catch(() => {
    throw new PlatformError(400, 'The body is not valid multipart/form-data.');
  });
  const fields: [string, unknown][] = [];
  for (const [name, value] of form) {
    if (fields.length >= maxFields) throw new PlatformError(400, `The body has more than ${maxFields} fields.`);
    if (fields.some(([other]) => other === name)) throw new PlatformError(400, 'The body contains a duplicate field.');
    rejectUnstorable(name, 'body');
    rejectUnstorable(value instanceof File ? value.name : value, `body.${name}`);
    fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

/** Returns the boundary of a type (RFC 2046, section 5.1.1). @throws PlatformError 400 */
function boundaryOf(type: string): string {
  const boundary = readBoundary(type);
  if (boundary !== null && /^[\w'()+,./:=? -]{1,70}$/.test(boundary)) return boundary;
  throw new PlatformError(400, 'The body is not valid multipart/form-data.');
}

function readBoundary(type: string): string | null {
  try {
    return new MIMEType(type).params.get('boundary');
  } catch {
    // The type is not valid.
    return null;
  }
}

/** Counts the parts before they are parsed: each needs much more memory than its text. @throws PlatformError 400 */
function rejectManyParts(bytes: Buffer, boundary: string): void {
  const delimiter = `--${boundary}`;
  let index = -1;
  // The last delimiter ends the body.
  for (let count = 0; count <= maxFields + 1; count += 1) {
    index = bytes.indexOf(delimiter, index + 1);
    if (index < 0) return;
  }
  throw new PlatformError(400, `The body has more than ${maxFields} fields.`);
}
