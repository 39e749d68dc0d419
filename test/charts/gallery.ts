/** Specifications like those in the Vega-Lite gallery. They use the rows of `gallery.test.ts`. */
export interface Example {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

type Part = Readonly<Record<string, unknown>>;

/** A channel: `q:value`, `t:day`, `o:size`, `n:group`, or the same with further properties (`['q:value', {…}]`). */
type Channel = string | readonly [string, Part];

const types: Readonly<Record<string, string>> = { q: 'quantitative', t: 'temporal', o: 'ordinal', n: 'nominal' };

function channel(given: Channel): Part {
  const [short, more] = typeof given === 'string' ? [given, {}] : given;
  const [type = '', field] = short.split(':');
  return { type: types[type], ...(field ? { field } : {}), ...more };
}

function encode(channels: Readonly<Record<string, Channel>>): Part {
  return Object.fromEntries(Object.entries(channels).map(([name, given]) => [name, channel(given)]));
}

function unit(mark: unknown, channels: Readonly<Record<string, Channel>>, more: Part = {}): Part {
  return { mark, encoding: encode(channels), ...more };
}

const sum = { aggregate: 'sum' };
const mean = { aggregate: 'mean' };
const count: Channel = ['q:', { aggregate: 'count' }];
const [x, y] = ['q:value', 'q:other'];
const perDay = { x: 't:day', y: x };
const bySize = { x: 'o:size', y: ['q:value', sum] } as const;
const range = { x: 't:day', y: 'q:low', y2: 'q:value' };

const specs: Readonly<Record<string, Part>> = {
  'simple bars': unit('bar', { x: 'n:group', y: ['q:value', sum] }),
  'horizontal bars': unit('bar', { y: 'n:group', x: ['q:value', sum] }),
  'sorted bars': unit('bar', { y: ['n:group', { sort: '-x' }], x: ['q:value', mean] }),
  'bars with an opacity': unit({ type: 'bar', opacity: 0.4 }, { x: 'n:group', y: ['q:value', sum] }),
  'stacked bars': unit('bar', { ...bySize, color: 'n:group' }),
  'normalized bars': unit('bar', { x: 'o:size', y: ['q:value', { ...sum, stack: 'normalize' }], color: 'n:group' }),
  'grouped bars': unit('bar', { ...bySize, xOffset: 'n:group', color: 'n:group' }),
  'layered bars': unit(
    { type: 'bar', opacity: 0.7 },
    { x: 'o:size', y: ['q:value', { ...sum, stack: null }], color: 'n:group' },
  ),
  'bars of a stated gap': unit('bar', { x: ['n:group', { scale: { paddingInner: 0.6 } }], y: ['q:value', sum] }),
  'bars of a stated width': unit({ type: 'bar', width: 7 }, { x: 'n:group', y: ['q:value', sum] }),
  'bars of months': unit('bar', { x: ['t:day', { timeUnit: 'utcyearmonth' }], y: ['q:value', sum] }),
  'a histogram': unit('bar', { x: ['q:value', { bin: true }], y: count }),
  'a histogram with a gap': unit({ type: 'bar', binSpacing: 4 }, { x: ['q:value', { bin: true }], y: count }),
  'a population pyramid': unit('bar', { y: 'o:size', x: ['q:signed', sum], color: 'n:group' }),
  'a Gantt chart': unit('bar', { y: 'n:group', x: 'q:low', x2: 'q:value' }),
  'diverging bars': unit('bar', { x: 'o:size', y: ['q:signed', sum] }),
  'bars with labels': {
    encoding: encode({ y: 'n:group', x: ['q:value', sum] }),
    layer: [{ mark: 'bar' }, unit({ type: 'text', align: 'left', dx: 3 }, { text: ['q:value', sum] })],
  },
  'a line': unit('line', perDay),
  'a line with points': unit({ type: 'line', point: true }, perDay),
  'a line with hollow points': unit({ type: 'line', point: { filled: false, fill: 'white' } }, perDay),
  'a line with gaps': unit('line', { x: 't:day', y: 'q:holes' }),
  'a line that skips gaps': unit({ type: 'line', invalid: 'filter' }, { x: 't:day', y: 'q:holes' }),
  'several lines': unit('line', { ...perDay, color: 'n:group' }),
  'dashed lines': unit('line', { ...perDay, strokeDash: 'n:group' }),
  'a monotone line': unit({ type: 'line', interpolate: 'monotone' }, perDay),
  'a step line': unit({ type: 'line', interpolate: 'step-after' }, perDay),
  'a thick, faded line': unit({ type: 'line', strokeWidth: 5, opacity: 0.3 }, perDay),
  'a trail': unit('trail', { ...perDay, size: y }),
  'a connected scatter plot': unit({ type: 'line', point: true }, { x, y, order: 't:day' }),
  'an area': unit('area', perDay),
  'an area with a color': unit({ type: 'area', color: 'teal' }, perDay),
  'an area with an opacity': unit({ type: 'area', opacity: 0.3 }, perDay),
  'an area with its own line': unit({ type: 'area', line: { color: 'red' }, point: true }, perDay),
  'an area between two values': unit('area', range),
  'an area with gaps': unit('area', { x: 't:day', y: 'q:holes' }),
  'stacked areas': unit('area', { ...perDay, color: 'n:group' }),
  'a stream graph': unit('area', {
    x: 't:day',
    y: ['q:value', { ...sum, stack: 'center', axis: null }],
    color: 'n:group',
  }),
  'a horizon': {
    encoding: encode(perDay),
    layer: [{ mark: { type: 'area', clip: true } }, { mark: { type: 'area', clip: true, opacity: 0.3 } }],
  },
  'a gradient area': unit(
    {
      type: 'area',
      color: {
        x1: 1,
        y1: 1,
        x2: 1,
        y2: 0,
        gradient: 'linear',
        stops: [
          { offset: 0, color: 'white' },
          { offset: 1, color: 'green' },
        ],
      },
    },
    perDay,
  ),
  'a scatter plot': unit('point', { x, y }),
  'a colored scatter plot': unit('point', { x, y, color: 'n:group', shape: 'n:group' }),
  'a bubble plot': unit('circle', { x, y, size: y }),
  'a filled scatter plot': unit({ type: 'point', filled: true, size: 90 }, { x, y }),
  squares: unit('square', { x, y, opacity: ['q:value', {}] }),
  'a strip plot': unit('tick', { x, y: 'n:group' }),
  'a dot plot': unit({ type: 'point', filled: true }, { y: 'n:group', x: ['q:value', mean] }),
  'a ranged dot plot': {
    encoding: encode({ y: 'n:group', x: ['q:value', mean] }),
    layer: [{ mark: 'line' }, { mark: { type: 'point', filled: true } }],
  },
  'a binned scatter plot': unit('circle', {
    x: ['q:value', { bin: { maxbins: 5 } }],
    y: ['q:other', { bin: true }],
    size: count,
  }),
  'a heat map': unit('rect', { x: 'o:size', y: 'n:group', color: ['q:value', sum] }),
  'a binned heat map': unit('rect', { x: ['q:value', { bin: true }], y: ['q:other', { bin: true }], color: count }),
  'a labeled heat map': {
    encoding: encode({ x: 'o:size', y: 'n:group' }),
    layer: [unit('rect', { color: ['q:value', sum] }), unit('text', { text: ['q:value', sum] })],
  },
  'a pie': unit('arc', { theta: ['q:value', sum], color: 'n:group' }),
  'a donut': unit({ type: 'arc', innerRadius: 40, padAngle: 0.05 }, { theta: ['q:value', sum], color: 'n:group' }),
  'a radial plot': unit(
    { type: 'arc', stroke: '#fff' },
    { theta: ['q:value', sum], radius: ['q:value', { ...sum, scale: { type: 'sqrt', zero: true } }], color: 'n:group' },
  ),
  'a box plot': unit('boxplot', { x: 'n:group', y: x }),
  'a box plot of extremes': unit({ type: 'boxplot', extent: 'min-max' }, { x: 'n:group', y: x }),
  'error bars': {
    encoding: encode({ y: 'n:group' }),
    layer: [
      unit({ type: 'errorbar', extent: 'stdev' }, { x }),
      unit({ type: 'point', filled: true }, { x: ['q:value', mean] }),
    ],
  },
  'an error band': {
    encoding: encode({ x: ['t:day', { timeUnit: 'utcyearmonth' }] }),
    layer: [unit({ type: 'errorband', extent: 'iqr' }, { y: x }), unit('line', { y: ['q:value', mean] })],
  },
  'a rule at the mean': {
    layer: [
      unit('bar', { x: 'n:group', y: ['q:value', mean] }),
      unit({ type: 'rule', size: 3 }, { y: ['q:value', mean] }),
    ],
  },
  'candle sticks': {
    encoding: encode({ x: 't:day' }),
    layer: [
      unit('rule', { y: 'q:low', y2: 'q:value' }),
      unit({ type: 'bar', width: 6 }, { y: 'q:other', y2: 'q:value' }),
    ],
  },
  'two axes': {
    encoding: encode({ x: 't:day' }),
    layer: [unit({ type: 'area', opacity: 0.3 }, { y: x }), unit('line', { y })],
    resolve: { scale: { y: 'independent' } },
  },
  'a trend': {
    layer: [unit('point', { x, y }), unit('line', { x, y }, { transform: [{ regression: 'other', on: 'value' }] })],
  },
  'a density': unit('area', { x: 'q:value', y: 'q:density' }, { transform: [{ density: 'value', steps: 20 }] }),
  'a running total': unit(
    'area',
    { x: 't:day', y: 'q:running' },
    { transform: [{ sort: [{ field: 'day' }], window: [{ op: 'sum', field: 'value', as: 'running' }] }] },
  ),
  'a parallel plot': unit(
    'line',
    { x: 'n:key', y: 'q:figure', detail: 'q:id', color: 'n:group' },
    { transform: [{ fold: ['value', 'other', 'low'], as: ['key', 'figure'] }] },
  ),
  'a trellis of bars': unit('bar', { x: ['q:value', sum], y: 'n:group', row: 'o:size' }),
  'small lines': unit('line', { ...perDay, facet: ['n:group', { columns: 2 }] }),
  'repeated histograms': {
    repeat: ['value', 'other'],
    spec: unit('bar', { x: ['q:', { field: { repeat: 'repeat' }, bin: true }], y: count }),
  },
  'concatenated views': { vconcat: [unit('line', perDay), unit('bar', { x: 'n:group', y: count })] },
  'dots of a brush': unit(
    'point',
    { x, y, opacity: ['q:', { condition: { param: 'brush', value: 1 }, value: 0.2 }] },
    { params: [{ name: 'brush', select: 'interval' }] },
  ),
  letters: unit('text', { x, y, text: 'n:group' }),
};

export const gallery: readonly Example[] = Object.entries(specs).map(([name, spec]) => ({ name, spec }));
