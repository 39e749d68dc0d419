import type { JsonObject } from '../../src/contract/wire.js';

/** A malicious or unreasonable specification. */
export interface HostileSpec {
  readonly name: string;
  readonly spec: string | JsonObject;
  /**
   * Expected result: `refused` if it is rejected with a message, `drawn` if its harmless part is rendered, `either` if
   * both are acceptable. In every case, it must not take long, load resources or run code from the specification.
   */
  readonly outcome: 'refused' | 'drawn' | 'either';
}

/** A URL that must not be requested. A request to it fails the test. */
export const forbidden = 'https://evil.example/';

const category: JsonObject = { field: 'flights.carrier', type: 'nominal' };
const figure: JsonObject = { field: 'flights.count', type: 'quantitative' };
const bars = (more: JsonObject = {}): JsonObject => ({
  data: { name: 'rows' },
  mark: 'bar',
  encoding: { x: category, y: figure },
  ...more,
});
const marked = (mark: JsonObject): JsonObject => bars({ mark: { type: 'bar', ...mark } });
const calculated = (calculate: string): JsonObject =>
  bars({ transform: [{ calculate, as: 'made' }], encoding: { x: { ...category, field: 'made' }, y: figure } });
const vega = (more: JsonObject): JsonObject => ({
  $schema: 'https://vega.github.io/schema/vega/v6.json',
  data: [{ name: 'rows' }],
  ...more,
});
const generated = (...transform: JsonObject[]): JsonObject =>
  vega({ data: [{ name: 'rows' }, { name: 'made', source: 'rows', transform }] });
const axis = (more: JsonObject, domain: unknown = [0, 1]): JsonObject =>
  vega({
    scales: [{ name: 'x', type: 'linear', domain, range: 'width' }],
    axes: [{ scale: 'x', orient: 'bottom', ...more }],
  });
const written = (expression: string): JsonObject =>
  vega({ marks: [{ type: 'text', from: { data: 'rows' }, encode: { update: { text: { signal: expression } } } }] });

function nested(depth: number): JsonObject {
  let spec: JsonObject = bars();
  for (let level = 0; level < depth; level++) spec = { layer: [spec] };
  return { data: { name: 'rows' }, ...spec };
}

const refused = (name: string, spec: string | JsonObject): HostileSpec => ({ name, spec, outcome: 'refused' });
const drawn = (name: string, spec: string | JsonObject): HostileSpec => ({ name, spec, outcome: 'drawn' });
const either = (name: string, spec: string | JsonObject): HostileSpec => ({ name, spec, outcome: 'either' });

/** Invalid specifications. */
const broken: readonly HostileSpec[] = [
  refused('nothing', ''),
  refused('half of JSON', '{"mark":'),
  refused('a list', '[]'),
  refused('words', 'DROP TABLE charts'),
  refused('a number', '1e999'),
  refused('two megabytes', JSON.stringify({ ...bars(), description: 'x'.repeat(2_000_000) })),
  refused('deeper than any chart', nested(500)),
  refused('lists within lists', `{"mark":"bar","encoding":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  refused('an unknown mark', bars({ mark: 'hologram' })),
  refused('an unknown transform', generated({ type: 'mindread' })),
  either('a transform that is not loaded', generated({ type: 'force' })),
  refused('an unknown signal', written('nowhere')),
  refused('half an expression', written('1 +')),
  either('invalid marks', bars({ mark: null, encoding: [] })),
  either('a mark of the wrong kind', vega({ marks: 'all of them' })),
  either('scales of the wrong kind', vega({ scales: [null, 3, { name: 'x', type: 'linear', domain: 'wide' }] })),
];

/** Specifications that reference external resources or links. */
const loading: readonly HostileSpec[] = [
  refused('data by address', bars({ data: { url: `${forbidden}a.csv` } })),
  refused('data by address, within a layer', { layer: [bars({ data: { url: `${forbidden}a.json` } })] }),
  refused('data for a lookup', {
    ...bars(),
    transform: [{ lookup: 'a', from: { data: { url: `${forbidden}b.json` }, key: 'a', fields: ['b'] } }],
  }),
  refused('an image', bars({ mark: { type: 'image', url: `${forbidden}pixel.png` } })),
  refused('an image in Vega', vega({ marks: [{ type: 'image', encode: { enter: { url: { value: forbidden } } } }] })),
  either('data by a signal', vega({ data: [{ name: 'rows' }, { name: 'b', url: { signal: `'${forbidden}'` } }] })),
  drawn('a color with a URL', marked({ fill: `url(${forbidden}a.svg#b)`, stroke: `url(${forbidden})` })),
  drawn('a cursor by address', marked({ cursor: `url(${forbidden}c.cur), auto` })),
  drawn('a font by address', bars({ config: { font: `x;src:url(${forbidden})`, background: `url(${forbidden})` } })),
  drawn('a link that runs', marked({ href: 'javascript:alert(1)' })),
  drawn('a link that holds a page', marked({ href: 'data:text/html,<script>alert(1)</script>' })),
  drawn('a background by address', vega({ background: `url(${forbidden})`, marks: [] })),
  either('a cursor by a signal', vega({ signals: [{ name: 'cursor', update: `'url(${forbidden})'` }] })),
  drawn('a form', vega({ signals: [{ name: 'a', value: 1, bind: { input: 'range', element: 'body' } }] })),
];

/** Specifications that try to access the page or run code. */
const reaching: readonly HostileSpec[] = [
  refused('the window', written('window.alert(1)')),
  refused('a constructor', written("datum.constructor.constructor('alert(1)')()")),
  either('a constructor by parts', written("datum['const' + 'ructor']['const' + 'ructor']")),
  either('a prototype', written("{'__proto__': {polluted: 1}}['polluted']")),
  either('a function that is handed on', written("replace('a', regexp('a'), datum['toString'])")),
  refused('an element by name', written("item['_svg']")),
  either('an element by parts', written("item['_s' + 'vg']")),
  either('the page of an event', {
    ...written('seen'),
    signals: [{ name: 'seen', value: '', on: [{ events: 'pointermove', update: "event['target']['ownerDocument']" }] }],
  }),
  either('events of the whole page', {
    ...written('seen'),
    signals: [{ name: 'seen', value: '', on: [{ events: 'window:keydown', update: 'event.key' }] }],
  }),
  either('keys with names of prototypes', calculated("{'__proto__': 1, 'constructor': 2}")),
  either(
    'a prototype in JSON',
    '{"mark":"bar","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
  ),
  drawn(
    'markup in titles',
    bars({ title: '<img src=x onerror=alert(1)>', description: '"><script>alert(1)</script>' }),
  ),
  drawn('markup in words', calculated("'<img src=x onerror=alert(1)>'")),
];

/** Specifications that would run forever or exhaust memory. */
const endless: readonly HostileSpec[] = [
  refused(
    'a thousand million rows',
    vega({ data: [{ name: 'a', transform: [{ type: 'sequence', start: 0, stop: 1e9 }] }] }),
  ),
  refused(
    'rows with a step of zero',
    vega({ data: [{ name: 'a', transform: [{ type: 'sequence', start: 0, stop: 1, step: 1e-12 }] }] }),
  ),
  refused('a sequence in an expression', written('sequence(1e9)')),
  either('a sequence of no end', written('sequence(0, 1, 0)')),
  either('a text of a thousand million letters', written("pad('', 1e9)")),
  refused(
    'a pattern with exponential backtracking by repetition',
    written("test('(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')"),
  ),
  refused(
    'a pattern with exponential backtracking by alternation',
    written("replace('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', regexp('(a|a)*$'), '')"),
  ),
  refused('bins too small', generated({ type: 'bin', field: 'flights\\.count', extent: [0, 1e9], step: 1e-3 })),
  refused('bins with an invalid base', generated({ type: 'bin', field: 'flights\\.count', extent: [0, 100], base: 1 })),
  refused('bins too many', generated({ type: 'bin', field: 'flights\\.count', extent: [0, 100], maxbins: 1e9 })),
  refused(
    'a curve with too many steps',
    generated({ type: 'kde', field: 'flights\\.count', extent: [0, 1], steps: 1e9 }),
  ),
  refused('quantiles too many', generated({ type: 'quantile', field: 'flights\\.count', step: 1e-9 })),
  refused(
    'a trend of order one million',
    generated({
      type: 'regression',
      method: 'poly',
      order: 1e6,
      x: 'flights\\.count',
      y: 'flights\\.count',
    }),
  ),
  drawn('ticks too many', axis({ tickCount: 1e9 })),
  drawn('ticks by the millisecond', {
    ...vega({
      scales: [{ name: 'x', type: 'utc', domain: [0, 4e12], range: 'width' }],
      axes: [{ scale: 'x', orient: 'bottom', tickCount: 'millisecond' }],
    }),
  }),
  refused('ticks by a sequence', axis({ values: { signal: 'sequence(1e8)' } })),
  either('a scale of no end', axis({}, [-1e308, 1e308])),
  drawn('wider than a wall', bars({ width: 1e9, height: 1e9 })),
  either('wider than a wall, by itself', vega({ width: 1e9, height: 1e9, autosize: 'none', marks: [] })),
  either('letters larger than a house', marked({ cornerRadius: 1e300, strokeWidth: 1e300 })),
  either(
    'signals that wait for each other',
    vega({
      signals: [
        { name: 'a', value: 0, on: [{ events: { signal: 'b' }, update: 'b + 1' }] },
        { name: 'b', value: 0, on: [{ events: { signal: 'a' }, update: 'a + 1' }] },
        { name: 'c', update: 'd' },
        { name: 'd', update: 'c' },
      ],
    }),
  ),
  either(
    'a scale step that never ends',
    bars({ encoding: { x: { ...category, scale: { paddingInner: -1e9 } }, y: figure } }),
  ),
];

/** Malicious specifications. Their rows have the columns `flights.carrier` and `flights.count`. */
export const hostileSpecs: readonly HostileSpec[] = [...broken, ...loading, ...reaching, ...endless];
