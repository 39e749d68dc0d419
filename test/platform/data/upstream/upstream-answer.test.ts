import { expect, it } from 'vitest';
import { withErrorLine } from '../../../../src/platform/data/upstream/upstream-answer.js';
import { UpstreamProblem } from '../../../../src/platform/data/upstream/upstream-problem.js';

const cut = new UpstreamProblem('cut', 'broke off: private.');

/** Returns what is forwarded after `first` if the response arrives in pieces and then fails. */
async function passOn(first: string, pieces: readonly string[], error: Error): Promise<string> {
  const left = [...pieces];
  const next = async () => {
    const piece = left.shift();
    if (piece === undefined) throw error;
    return Buffer.from(piece);
  };
  const source = withErrorLine(Buffer.from(first), { next, close: () => {} });
  let text = '';
  for (let piece = await source.next(); piece !== null; piece = await source.next()) text += Buffer.from(piece);
  return text;
}

it.each([
  ['after the first line', '{"schema":[]}\n', []],
  ['later', '{"sche', ['ma":[]}\n', '{"data":[]}\n']],
])('a response that fails between lines (%s) gets an error line', async (_, first, pieces) => {
  expect(await passOn(first, pieces, cut)).toBe(`${pieces.join('')}${JSON.stringify({ error: cut.message })}\n`);
});

it('fails if the response ends within a line, or the caller has left', async () => {
  await expect(passOn('{"schema":[]}\n', ['{"data":[['], cut)).rejects.toBe(cut);
  const left = new Error('left');
  await expect(passOn('{"schema":[]}\n', [], left)).rejects.toBe(left);
});
