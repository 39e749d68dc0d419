import { expect, it, vi } from 'vitest';
import { readAhead } from '../../../../src/platform/data/answers/batch-body.js';

/** Creates a streamed body with pieces of 16 KB; an error ends it. */
function bodyOf(count: number, failure?: Error) {
  const cancel = vi.fn();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent < count) controller.enqueue(Buffer.alloc(16 * 1024, String(sent++ % 10)));
        else if (failure) controller.error(failure);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { body, cancel, sent: () => sent };
}
const expected = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index % 10).repeat(16 * 1024)).join('');

it('reads a small body to its end', async () => {
  const read = await readAhead(bodyOf(3).body);
  expect(read).toBeInstanceOf(Uint8Array);
  expect(await new Response(read).text()).toBe(expected(3));
});

it('reads only the start of a large body, and streams the whole body', async () => {
  const { body, sent } = bodyOf(50);
  const read = await readAhead(body);
  expect(sent()).toBe(5);
  expect(read).toBeInstanceOf(ReadableStream);
  expect(await new Response(read).text()).toBe(expected(50));
});

it('rejects with the error of a small body, and ends a large body with its error', async () => {
  const failure = new Error('The engine has stopped.');
  await expect(readAhead(bodyOf(2, failure).body)).rejects.toBe(failure);
  const read = await readAhead(bodyOf(10, failure).body);
  await expect(new Response(read).text()).rejects.toThrow();
});

it('cancels a large body that is not read', async () => {
  const { body, cancel } = bodyOf(50);
  const read = await readAhead(body);
  if (!(read instanceof ReadableStream)) throw new Error('The body is not a stream.');
  await read.cancel('gone');
  expect(cancel).toHaveBeenCalledExactlyOnceWith('gone');
});
