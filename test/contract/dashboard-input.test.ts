import '../../src/contract/messages.js';
import { describe, expect, test } from 'vitest';
import { DashboardConfigInput, DashboardDraftInput } from '../../src/contract/dashboard-input.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const widget = (type: string, config?: unknown, id = 'w') => ({
  id,
  type,
  position,
  ...(config !== undefined && { config }),
});

/** Returns the problems as `path: message`. */
function problems(...widgets: object[]): string[] {
  const read = DashboardConfigInput.safeParse({ widgets });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
}

const member = 'orders.status';
const filter = widget('FILTER', { member }, 'f');
const grain = widget('TIME_GRAIN', { member: 'orders.placed' }, 'g');

describe('config of a widget', () => {
  test.each([
    ['CHART', { reportId: 1, hideTitle: true, crossFilter: false, title: null }],
    ['TEXT', { markdown: '' }],
    ['FILTER', { member, operator: 'between', value: ['2001-01-01', '2001-02-01'], endInclusive: false }],
    [
      'FILTER',
      { member, values: ['a', 1, true], operators: ['equals', 'contains'], single: true, visibility: 'disabled' },
    ],
    ['FILTER', { member, operator: 'custom', value: 'last 7 days', userAttribute: 'region', someoneElses: { key: 1 } }],
    ['TIME_GRAIN', { member, granularities: ['day', 'fiscal_year'], value: 'day' }],
    ['FIELD', { member, members: ['orders.a', { member: 'orders.b', title: 'B' }], value: 'orders.b' }],
    ['PARENT', { options: [{ id: 'a', controls: {} }], value: 'a' }],
    ['CONTAINER', { layout: 'grid', children: [], cols: 6 }],
    ['SPACER', undefined],
    ['DIVIDER', {}],
    ['AI', { anything: true }],
  ])('of type %s is accepted: %j', (type, config) => {
    expect(problems(widget(type, config))).toEqual([]);
  });

  test.each([
    ['CHART', undefined, 'config.reportId: a CHART widget requires the numeric id of its report'],
    ['CHART', { reportId: 'x' }, 'config.reportId: a CHART widget requires the numeric id of its report'],
    ['CHART', { reportId: 1, hideTitle: 'yes' }, 'config.hideTitle: '],
    ['CHART', { reportId: 1, controls: { f: 'no member' } }, 'config.controls.f: must be a member name'],
    ['TEXT', {}, 'config.markdown: a TEXT widget requires its text as Markdown'],
    ['FILTER', {}, 'config.member: a FILTER widget requires a member, such as orders.status'],
    ['FILTER', { member, operator: 'like' }, 'config.operator: '],
    ['FILTER', { member, visibility: 'gone' }, 'config.visibility: '],
    ['FILTER', { member, value: { a: 1 } }, 'config.value: '],
    ['FILTER', { member, operators: [] }, 'config.operators: '],
    ['FILTER', { member, userAttribute: 'not a name' }, 'config.userAttribute: must be an identifier'],
    ['FILTER', { member, operator: 'between', value: 3 }, 'config.value: between requires a list of two'],
    ['FILTER', { member, values: Array.from({ length: 1001 }, () => 'a') }, 'config.values: '],
    ['TIME_GRAIN', { member: 'x' }, 'config.member: a TIME_GRAIN widget requires a member'],
    ['TIME_GRAIN', { member, granularities: ['a b'] }, 'config.granularities.0: must be the name of a granularity'],
    ['TIME_GRAIN', { member, value: 7 }, 'config.value: '],
    ['FIELD', { member }, 'config.members: '],
    ['FIELD', { member, members: [] }, 'config.members: '],
    ['FIELD', { member, members: [{ member: 'x' }] }, 'config.members.0.member: must be a member name'],
    ['PARENT', {}, 'config.options: '],
    ['PARENT', { options: [{ id: 'a' }] }, 'config.options.0.controls: '],
    ['CONTAINER', {}, 'config.children: '],
    ['CONTAINER', { children: [7] }, 'config.children.0: '],
    ['CONTAINER', { children: [], layout: 'pile' }, 'config.layout: '],
    ['CONTAINER', { children: [], cols: 0 }, 'config.cols: '],
  ])('of type %s is rejected, including the key: %j', (type, config, problem) => {
    const found = problems(widget(type, config));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });

  const sound = {
    CHART: { reportId: 1 },
    PARENT: { options: [{ id: 'a', controls: {} }] },
    CONTAINER: { children: [] },
  };
  const invalidFields = [
    { config: undefined },
    { config: {} },
    { config: { reportId: 'x', options: {}, children: [7] } },
    { id: '' },
    { id: 'x'.repeat(129) },
    { position: { ...position, w: 0 } },
    { position: { ...position, x: -1 } },
    { position: { ...position, y: 1e308 } },
  ];
  test.each(Object.entries(sound))('of type %s is rejected if two fields are invalid', (type, config) => {
    for (const one of invalidFields) {
      for (const other of invalidFields) {
        expect(problems({ ...widget(type, config), ...one, ...other })).not.toEqual([]);
      }
    }
  });

  test('is rejected for prototype names too', () => {
    const controls = JSON.parse('{"__proto__": "orders.a", "constructor": "orders.b"}');
    expect(problems(filter, widget('CHART', { reportId: 1, controls })).join(' ')).toContain(
      'is not the id of a control',
    );
    expect(problems(widget('constructor', {})).join(' ')).toContain('type: ');
  });
});

describe('references between widgets', () => {
  const container = (id: string, ...children: string[]) => widget('CONTAINER', { children }, id);
  const text = (id: string) => widget('TEXT', { markdown: id }, id);

  test('allow containers up to four levels deep, in any order', () => {
    const nested = [container('a', 'b'), container('b', 'c'), container('c', 'd'), container('d', 't'), text('t')];
    expect(problems(...nested)).toEqual([]);
    expect(problems(...nested.toReversed())).toEqual([]);
  });

  test.each([
    ['an unknown child', [container('a', 'b')], '0.config.children.0: no widget has the id b'],
    [
      'a child in two containers',
      [container('a', 't'), container('b', 't'), text('t')],
      '1.config.children.0: t is already in a container',
    ],
    ['a child twice', [container('a', 't', 't'), text('t')], '0.config.children.1: t is already in a container'],
    ['itself', [container('a', 'a')], '0.config.children.0: a would contain itself'],
    ['a cycle', [container('a', 'b'), container('b', 'a')], '1.config.children.0: a would contain itself'],
    [
      'five levels',
      [container('a', 'b'), container('b', 'c'), container('c', 'd'), container('d', 'e'), container('e')],
      'config.children: containers can be nested up to 4 levels deep',
    ],
    [
      'an unknown tab',
      [widget('CONTAINER', { children: ['t'], value: 'x' }, 'a'), text('t')],
      '0.config.value: is not the id of a child',
    ],
  ])('are rejected: %s', (_what, widgets, problem) => {
    expect(problems(...widgets).join('\n')).toContain(problem);
    // The result does not depend on the order.
    expect(problems(...widgets.toReversed())).not.toEqual([]);
  });

  test('allow mapping and setting existing controls with valid values', () => {
    const chart = widget('CHART', { reportId: 1, controls: { f: 'orders.other', g: null } }, 'c');
    const options = [
      { id: 'a', controls: { f: { operator: 'equals', value: 'x' }, g: 'month' } },
      { id: 'b', controls: {} },
    ];
    expect(problems(chart, filter, grain, widget('PARENT', { options, value: 'b' }))).toEqual([]);
  });

  test.each([
    [
      'a mapping of an unknown control',
      [widget('CHART', { reportId: 1, controls: { x: null } })],
      'controls.x: is not the id of a control',
    ],
    [
      'a mapping of a text',
      [widget('CHART', { reportId: 1, controls: { t: null } }), text('t')],
      'controls.t: is not the id',
    ],
    [
      'a preset of an unknown control',
      [widget('PARENT', { options: [{ id: 'a', controls: { x: 'day' } }] })],
      'controls.x: is not the id',
    ],
    [
      'a name for a filter',
      [widget('PARENT', { options: [{ id: 'a', controls: { f: 'day' } }] }), filter],
      'options.0.controls.f: a FILTER control requires a condition',
    ],
    [
      'a condition for a granularity',
      [widget('PARENT', { options: [{ id: 'a', controls: { g: { value: 'day' } } }] }), grain],
      'options.0.controls.g: a TIME_GRAIN control requires a name',
    ],
    [
      'half a range',
      [widget('PARENT', { options: [{ id: 'a', controls: { f: { operator: 'between', value: [1] } } }] }), filter],
      'controls.f.value: between requires a list of two',
    ],
    [
      'an unknown option',
      [widget('PARENT', { options: [{ id: 'a', controls: {} }], value: 'b' })],
      'value: is not the id',
    ],
    [
      'two options with one id',
      [
        widget('PARENT', {
          options: [
            { id: 'a', controls: {} },
            { id: 'a', controls: {} },
          ],
        }),
      ],
      'options.1.id: is used by two options',
    ],
  ])('are rejected: %s', (_what, widgets, problem) => {
    expect(problems(...widgets).join('\n')).toContain(problem);
  });
});

describe('a dashboard with the legacy tabs type', () => {
  const legacy = { ...widget('TABS_CONTAINER', { children: ['f'] }, 'tabs') };

  test('gets its tabs in a container with that layout', () => {
    const read = DashboardConfigInput.parse({ widgets: [legacy, filter] });
    expect(read.widgets?.[0]).toEqual({ ...legacy, type: 'CONTAINER', config: { children: ['f'], layout: 'tabs' } });
    const draft = DashboardDraftInput.parse({ widgets: [{ ...legacy, id: null }, filter] });
    expect(draft.widgets?.[0]).toMatchObject({ type: 'CONTAINER', config: { layout: 'tabs' } });
  });

  test('is validated like any container', () => {
    expect(problems({ ...legacy, config: { children: ['x'] } })).toEqual([
      '0.config.children.0: no widget has the id x',
    ]);
  });
});

test('rejects strings for settings that restrict downloads', () => {
  expect(DashboardConfigInput.safeParse({ settings: { restrictDataDownload: 'true' } }).success).toBe(false);
  expect(DashboardConfigInput.parse({ settings: { restrictDataDownload: true, own: 1 } }).settings).toEqual({
    restrictDataDownload: true,
    own: 1,
  });
});
