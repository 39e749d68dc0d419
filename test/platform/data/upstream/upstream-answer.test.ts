import { expect, it } from 'vitest';
import { withErrorLine } from '../../../../src/platform/data/upstream/upstream-answer.js';
import { UpstreamProblem } from '../../../../src/platform/data/upstream/upstream-problem.js';

const cut = new UpstreamProblem('cut', 'broke off: private.');

/** What is passed on after `first` of an answer that comes in pieces and then breaks off. */
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
  ['right after its beginning', '{"schema":[]}\n', []],
  ['later', '{"sche', ['ma":[]}\n', '{"data":[]}\n']],
])('an answer that breaks off at the end of a line %s ends in a line that says so', async (_, first, pieces) => {
  expect(await passOn(first, pieces, cut)).toBe(`${pieces.join('')}${JSON.stringify({ error: cut.message })}\n`);
});

it('breaks off where the cluster did so within a line, or the caller has left', async () => {
  await expect(passOn('{"schema":[]}\n', ['{"data":[['], cut)).rejects.toBe(cut);
  const left = new Error('left');
  await expect(passOn('{"schema":[]}\n', [], left)).rejects.toBe(left);
});
