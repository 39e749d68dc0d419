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
  refused('truncated JSON', '{"mark":'),
  refused('a list', '[]'),
  refused('text', 'DROP TABLE charts'),
  refused('a number', '1e999'),
  refused('two megabytes', JSON.stringify({ ...bars(), description: 'x'.repeat(2_000_000) })),
  refused('nested too deeply', nested(500)),
  refused('nested lists', `{"mark":"bar","encoding":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  refused('an unknown mark', bars({ mark: 'hologram' })),
  refused('an unknown transform', generated({ type: 'mindread' })),
  either('a transform that is not loaded', generated({ type: 'force' })),
  refused('an unknown signal', written('nowhere')),
  refused('an incomplete expression', written('1 +')),
  either('invalid marks', bars({ mark: null, encoding: [] })),
  either('a mark with the wrong type', vega({ marks: 'all of them' })),
  either('scales with the wrong type', vega({ scales: [null, 3, { name: 'x', type: 'linear', domain: 'wide' }] })),
];

/** Specifications that reference external resources or links. */
const loading: readonly HostileSpec[] = [
  refused('data from a URL', bars({ data: { url: `${forbidden}a.csv` } })),
  refused('data from a URL, in a layer', { layer: [bars({ data: { url: `${forbidden}a.json` } })] }),
  refused('data for a lookup', {
    ...bars(),
    transform: [{ lookup: 'a', from: { data: { url: `${forbidden}b.json` }, key: 'a', fields: ['b'] } }],
  }),
  refused('an image', bars({ mark: { type: 'image', url: `${forbidden}pixel.png` } })),
  refused('an image in Vega', vega({ marks: [{ type: 'image', encode: { enter: { url: { value: forbidden } } } }] })),
  either(
    'a data URL from a signal',
    vega({ data: [{ name: 'rows' }, { name: 'b', url: { signal: `'${forbidden}'` } }] }),
  ),
  drawn('a color with a URL', marked({ fill: `url(${forbidden}a.svg#b)`, stroke: `url(${forbidden})` })),
  drawn('a cursor from a URL', marked({ cursor: `url(${forbidden}c.cur), auto` })),
  drawn('a font from a URL', bars({ config: { font: `x;src:url(${forbidden})`, background: `url(${forbidden})` } })),
  drawn('a link that runs a script', marked({ href: 'javascript:alert(1)' })),
  drawn('a link that contains a page', marked({ href: 'data:text/html,<script>alert(1)</script>' })),
  drawn('a background from a URL', vega({ background: `url(${forbidden})`, marks: [] })),
  either('a cursor from a signal', vega({ signals: [{ name: 'cursor', update: `'url(${forbidden})'` }] })),
  drawn('a form', vega({ signals: [{ name: 'a', value: 1, bind: { input: 'range', element: 'body' } }] })),
];

/** Specifications that try to access the page or run code. */
const reaching: readonly HostileSpec[] = [
  refused('the window', written('window.alert(1)')),
  refused('a constructor', written("datum.constructor.constructor('alert(1)')()")),
  either('a constructor built from parts', written("datum['const' + 'ructor']['const' + 'ructor']")),
  either('a prototype', written("{'__proto__': {polluted: 1}}['polluted']")),
  either('a function that is passed on', written("replace('a', regexp('a'), datum['toString'])")),
  refused('an element found by name', written("item['_svg']")),
  either('an element built from parts', written("item['_s' + 'vg']")),
  either('the page of an event', {
    ...written('seen'),
    signals: [{ name: 'seen', value: '', on: [{ events: 'pointermove', update: "event['target']['ownerDocument']" }] }],
  }),
  either('events of the whole page', {
    ...written('seen'),
    signals: [{ name: 'seen', value: '', on: [{ events: 'window:keydown', update: 'event.key' }] }],
  }),
  either('keys with the names of inherited properties', calculated("{'__proto__': 1, 'constructor': 2}")),
  either(
    'a prototype in JSON',
    '{"mark":"bar","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
  ),
  drawn(
    'markup in titles',
    bars({ title: '<img src=x onerror=alert(1)>', description: '"><script>alert(1)</script>' }),
  ),
  drawn('markup in text', calculated("'<img src=x onerror=alert(1)>'")),
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
  either('an endless sequence', written('sequence(0, 1, 0)')),
  either('a text of a billion characters', written("pad('', 1e9)")),
  refused(
    'a pattern with exponential backtracking by repetition',
    written("test('(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')"),
  ),
  refused(
    'a pattern with exponential backtracking by alternation',
    written("replace('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', regexp('(a|a)*$'), '')"),
  ),
  refused(
    'bins that are too small',
    generated({ type: 'bin', field: 'flights\\.count', extent: [0, 1e9], step: 1e-3 }),
  ),
  refused('bins with an invalid base', generated({ type: 'bin', field: 'flights\\.count', extent: [0, 100], base: 1 })),
  refused('too many bins', generated({ type: 'bin', field: 'flights\\.count', extent: [0, 100], maxbins: 1e9 })),
  refused(
    'a curve with too many steps',
    generated({ type: 'kde', field: 'flights\\.count', extent: [0, 1], steps: 1e9 }),
  ),
  refused('too many quantiles', generated({ type: 'quantile', field: 'flights\\.count', step: 1e-9 })),
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
  drawn('too many ticks', axis({ tickCount: 1e9 })),
  drawn('a tick per millisecond', {
    ...vega({
      scales: [{ name: 'x', type: 'utc', domain: [0, 4e12], range: 'width' }],
      axes: [{ scale: 'x', orient: 'bottom', tickCount: 'millisecond' }],
    }),
  }),
  refused('ticks from a sequence', axis({ values: { signal: 'sequence(1e8)' } })),
  either('a scale with a huge domain', axis({}, [-1e308, 1e308])),
  drawn('a huge size', bars({ width: 1e9, height: 1e9 })),
  either('a huge size without marks', vega({ width: 1e9, height: 1e9, autosize: 'none', marks: [] })),
  either('marks with huge corners and strokes', marked({ cornerRadius: 1e300, strokeWidth: 1e300 })),
  either(
    'signals that depend on each other',
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
