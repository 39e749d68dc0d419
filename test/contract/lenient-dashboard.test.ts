import { describe, expect, it } from 'vitest';
import { Dashboard } from '../../src/contract/dashboards.js';
import { LenientDashboard } from '../../src/contract/lenient-dashboard.js';
import fc from '../property.js';

const sound = {
  allowEmbed: true,
  config: {
    title: 'Departures',
    layout: { rowHeight: 20, newer: true },
    widgets: [{ id: 'a', type: 'CHART', position: { x: 1, y: 2, w: 3, h: 4 }, config: { reportId: 1 }, newer: 1 }],
  },
  deploymentId: 1,
  id: 1,
  publicId: 'Dashboard001',
  reportSnapshots: [{ id: 1, reportId: 1, versionNumber: 1, name: 'Flights', newer: 1 }],
  status: 'published',
  versionId: 1,
  versionNumber: 1,
  workbookId: 1,
};
const [widget] = sound.config.widgets;
const [snapshot] = sound.reportSnapshots;
const read = (config: object, reportSnapshots: unknown = sound.reportSnapshots) =>
  LenientDashboard.parse({ ...sound, config, reportSnapshots });

describe('a dashboard for rendering', () => {
  it('is unchanged if it is valid', () => {
    expect(LenientDashboard.parse(sound)).toEqual(Dashboard.parse(sound));
  });

  it('keeps its other widgets and the position of an invalid one', () => {
    const broken = [null, 7, { id: 7, type: null }, { ...widget, position: { x: 0.5, y: 0, w: 1, h: 1 }, config: [] }];
    const { widgets } = read({ ...sound.config, widgets: [...broken, widget] }).config;
    const place = { x: 0, y: 0, w: 12, h: 4 };
    expect(widgets).toEqual([
      { id: '', type: 'UNKNOWN', position: place },
      { id: '', type: 'UNKNOWN', position: place },
      { id: '', type: 'UNKNOWN', position: place },
      { id: 'a', type: 'CHART', position: place, newer: 1 },
      widget,
    ]);
  });

  it('drops invalid parts of a report, and a report without an id', () => {
    const { reportSnapshots } = read(sound.config, [{ ...snapshot, spec: 7, kind: [], title: 'Kept' }, null, 'x']);
    expect(reportSnapshots).toEqual([
      { ...snapshot, title: 'Kept' },
      { id: -1, reportId: -1, versionNumber: 0 },
      { id: -1, reportId: -1, versionNumber: 0 },
    ]);
  });

  it('drops invalid titles and grid settings', () => {
    const { config } = read({ ...sound.config, title: {}, theme: 'dark', layout: { rowHeight: '20', margin: [1, 2] } });
    expect(config).toEqual({ layout: { margin: [1, 2] }, widgets: sound.config.widgets });
  });

  it('is accepted with any widgets and reports', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.array(fc.jsonValue()), (config, reports, widgets) => {
        expect(LenientDashboard.safeParse({ ...sound, config, reportSnapshots: reports }).success).toBe(true);
        expect(read({ widgets }).config.widgets).toHaveLength(widgets.length);
      }),
    );
  });

  it('is rejected without its own required fields', () => {
    for (const key of ['publicId', 'deploymentId', 'allowEmbed']) {
      expect(LenientDashboard.safeParse({ ...sound, [key]: null }).success).toBe(false);
    }
    expect(LenientDashboard.safeParse([]).success).toBe(false);
  });
});
