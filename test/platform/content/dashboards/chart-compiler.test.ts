import { afterEach, describe, expect, it } from 'vitest';
import { ChartErrorCode } from '../../../../src/charts/chart-error.js';
import { ChartCompiler } from '../../../../src/platform/content/dashboards/chart-compiler.js';

const bar = { mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' } } };
const layers = (count: number) => ({ layer: Array.from({ length: count }, () => bar) });
/** A chart that takes longer to compile than a few turns of the event loop. */
const slow = layers(100);

let compiler: ChartCompiler | undefined;
afterEach(() => compiler?.close());

function open(timeoutMs = 600_000): ChartCompiler {
  compiler = new ChartCompiler({ timeoutMs });
  return compiler;
}

describe('a chart', () => {
  it('is compiled without blocking the event loop', async () => {
    const charts = open();
    await charts.compile(bar, null);
    let isCompiled = false;
    const compiling = charts.compile(slow, null).then(() => {
      isCompiled = true;
    });
    let turns = 0;
    while (turns < 3 && !isCompiled) {
      await new Promise(resolve => setImmediate(resolve));
      turns += 1;
    }
    expect({ turns, isCompiled }).toEqual({ turns: 3, isCompiled: false });
    await compiling;
  });

  it('fails with the code and message of the compiler', async () => {
    const charts = open();
    await expect(charts.compile(bar, ['b'])).rejects.toMatchObject({
      code: ChartErrorCode.unknownField,
      message: expect.stringContaining('a'),
    });
    await expect(charts.compile({ mark: 'nothing' }, null)).rejects.toMatchObject({ code: ChartErrorCode.invalid });
    await expect(charts.compile(bar, ['a'])).resolves.toMatchObject({ marks: expect.anything() });
  });

  it('that exceeds the time limit terminates its thread; the next chart gets a new thread', async () => {
    const charts = open(0);
    await expect(charts.compile(slow, null)).rejects.toMatchObject({ code: ChartErrorCode.tooLarge });
    await expect(charts.compile(slow, null)).rejects.toThrow('takes more than 0 s');
  });

  it.each([
    ['layers', layers(301)],
    ['concatenated views', { hconcat: [layers(200), layers(200)] }],
    [
      'repeated views',
      {
        repeat: {
          row: Array.from({ length: 20 }, (_, i) => `r${i}`),
          column: Array.from({ length: 20 }, (_, i) => `c${i}`),
        },
        spec: bar,
      },
    ],
  ])('with too many %s is rejected before compilation', async (_, spec) => {
    await expect(open().compile(spec, null)).rejects.toThrow('more than 300 views');
  });

  it('that is queued fails when the compiler is closed', async () => {
    const charts = open();
    await charts.compile(bar, null);
    const waiting = Promise.allSettled([charts.compile(slow, null), charts.compile(slow, null)]);
    await new Promise(resolve => setImmediate(resolve));
    await charts.close();
    expect(await waiting).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
  });
});
