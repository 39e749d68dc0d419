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

const tile = (id, x, y, w, h) => ({ id, x, y, w, h });

const tiles = [
  tile('KpiFlights01', 0, 0, 3, 3),
  tile('KpiOnTimeSh1', 3, 0, 3, 3),
  tile('KpiAvgDelay1', 6, 0, 3, 3),
  tile('KpiPlaces001', 9, 0, 3, 3),
  tile('FlightsByDay', 0, 3, 8, 6),
  tile('DistanceMix1', 8, 3, 4, 6),
  tile('DelayByHour1', 0, 9, 6, 6),
  tile('WeekdayHour1', 6, 9, 6, 6),
  tile('Destinations', 0, 16, 8, 10),
];

const notes = `**How to read this.** Every figure counts the flights that left from *your* airport in the first half of 2001.

- A flight is *on time* when it left less than 15 minutes late.
- Averages count early departures as negative minutes.
- The source is a sample of three million flights inside the United States.`;

function widgets(idOf) {
  const charts = tiles.map(({ id, ...position }) => ({
    id,
    type: 'CHART',
    position,
    config: { reportId: idOf.get(id) },
  }));
  return [
    ...charts,
    { id: 'rule', type: 'DIVIDER', position: { x: 0, y: 15, w: 12, h: 1 } },
    { id: 'notes', type: 'TEXT', position: { x: 8, y: 16, w: 4, h: 10 }, config: { markdown: notes } },
  ];
}

/** Writes the reports and the workbook through the Platform API and publishes; returns the dashboard's public id. */
export async function applyContent(connection) {
  const workbook = await upsertWorkbookBySlug(connection, { deploymentId, slug: 'departures' }, { name: 'Departures' });
  const idOf = new Map();
  for (const { publicId, query, ...report } of reports) {
    const saved = await upsertReportByPublicId(
      connection,
      { deploymentId, publicId },
      { ...report, workbookId: workbook.id, jsonQuery: JSON.stringify(query) },
    );
    idOf.set(publicId, saved.id);
  }
  const place = { deploymentId, workbookId: workbook.id };
  const { publicId } = await publishDashboard(connection, place, {
    allowEmbed: true,
    title: 'Departures',
    // The report that stands beside the dashboard is a tile of it too, below the others: one snapshot serves both.
    config: {
      kind: 'CLASSIC',
      title: 'Departures',
      layout,
      widgets: [
        ...widgets(idOf),
        {
          id: 'states',
          type: 'CHART',
          position: { x: 0, y: 26, w: 12, h: 8 },
          config: { reportId: idOf.get('DelayByState') },
        },
      ],
    },
  });
  await updateEmbedAccess(connection, place, { allEmbedUsers: true, action: 'read' });
  return { dashboard: publicId };
}
