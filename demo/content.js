import { publishDashboard, updateEmbedAccess, upsertReportByPublicId, upsertWorkbookBySlug } from 'pa-embed/client';
import { reports } from './reports.js';

// The dashboard as code: run again, it changes nothing; change a line here, and the next start publishes it.

const deploymentId = 1;

const layout = {
  breakpoints: { lg: 900, md: 700, sm: 520, xs: 360, xxs: 0 },
  cols: { lg: 12, md: 12, sm: 6, xs: 6, xxs: 6 },
  margin: [16, 16],
  containerPadding: [0, 0],
  rowHeight: 40,
};

/** A tile on twelve columns, and where it stands on six. */
const tile = (id, [x, y, w, h], [smallX, smallY, smallW]) => {
  const small = { x: smallX, y: smallY, w: smallW, h };
  return { id, position: { x, y, w, h }, responsiveLayouts: { sm: small, xs: small, xxs: small } };
};

const charts = [
  tile('KpiFlights01', [0, 0, 3, 3], [0, 0, 3]),
  tile('KpiOnTimeSh1', [3, 0, 3, 3], [3, 0, 3]),
  tile('KpiAvgDelay1', [6, 0, 3, 3], [0, 3, 3]),
  tile('KpiPlaces001', [9, 0, 3, 3], [3, 3, 3]),
  tile('FlightsByDay', [0, 3, 8, 6], [0, 6, 6]),
  tile('DistanceMix1', [8, 3, 4, 6], [0, 12, 6]),
  tile('DelayByHour1', [0, 9, 6, 6], [0, 18, 6]),
  tile('WeekdayHour1', [6, 9, 6, 6], [0, 24, 6]),
  tile('OnTimeByTime', [0, 15, 6, 6], [0, 30, 6]),
  tile('RunningShare', [6, 15, 6, 6], [0, 36, 6]),
  tile('Destinations', [0, 22, 8, 8], [0, 43, 6]),
  // Stands beside the dashboard too, by itself: one snapshot serves both.
  tile('DelayByState', [0, 30, 12, 8], [0, 58, 6]),
];

/** They stand in a bar above the grid, in the order of their positions. */
const controls = [
  {
    ...tile('state', [0, 0, 3, 1], [0, 0, 6]),
    type: 'FILTER',
    config: { member: 'departures.destination_state', title: 'Destination state' },
  },
  {
    ...tile('grain', [3, 0, 3, 1], [0, 1, 6]),
    type: 'TIME_GRAIN',
    config: { member: 'departures.date', title: 'Granularity', granularities: ['day', 'week', 'month'] },
  },
];

const notes = `**How to read this.** Every figure counts the flights that left from *your* airport in the first half of 2001.

- A flight is *on time* when it left less than 15 minutes late.
- Averages count early departures as negative minutes.
- The source is a sample of three million flights inside the United States.`;

const widgetsOf = idOf => [
  ...controls,
  ...charts.map(chart => ({ ...chart, type: 'CHART', config: { reportId: idOf.get(chart.id) } })),
  { ...tile('rule', [0, 21, 12, 1], [0, 42, 6]), type: 'DIVIDER' },
  { ...tile('notes', [8, 22, 4, 8], [0, 51, 6]), type: 'TEXT', config: { markdown: notes } },
];

/** Writes the reports and the workbook through the Platform API and publishes; returns the dashboard's public id. */
export async function applyContent(connection) {
  const workbook = await upsertWorkbookBySlug(connection, { deploymentId, slug: 'departures' }, { name: 'Departures' });
  const idOf = new Map();
  for (const { publicId, query, ...report } of reports) {
    const saved = await upsertReportByPublicId(
      connection,
      { deploymentId, publicId },
      { ...report, workbookId: workbook.id, ...(query && { jsonQuery: JSON.stringify(query) }) },
    );
    idOf.set(publicId, saved.id);
  }
  const place = { deploymentId, workbookId: workbook.id };
  const { publicId } = await publishDashboard(connection, place, {
    allowEmbed: true,
    title: 'Departures',
    config: { kind: 'CLASSIC', title: 'Departures', layout, widgets: widgetsOf(idOf) },
  });
  await updateEmbedAccess(connection, place, { allEmbedUsers: true, action: 'read' });
  return { dashboard: publicId };
}
