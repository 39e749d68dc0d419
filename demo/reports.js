const view = name => `departures.${name}`;
const quantitative = (name, title) => ({ field: view(name), type: 'quantitative', title });
const weekdays = "['Mon','Tue','Wed','Thu','Fri','Sat','Sun'][datum.value - 1]";

const kpi = (publicId, name, measure) => ({
  publicId,
  name,
  meta: { kind: 'kpi' },
  query: { measures: [view(measure)] },
});

const vega = (publicId, name, query, spec, preferences) => ({
  publicId,
  name,
  meta: { kind: 'vega', spec, ...(preferences ? { preferences } : {}) },
  query,
});

// Before five in the morning hardly anything leaves, and what does is a day late.
const daytime = { filters: [{ member: view('hour'), operator: 'gte', values: ['5'] }] };
const lite = 'https://vega.github.io/schema/vega-lite/v6.json';

/** The reports of the demo: what is asked, and how it is drawn. */
export const reports = [
  kpi('KpiFlights01', 'Flights', 'count'),
  kpi('KpiOnTimeSh1', 'On-time share', 'on_time_share'),
  kpi('KpiAvgDelay1', 'Average delay (minutes)', 'average_delay'),
  kpi('KpiPlaces001', 'Destinations', 'destinations'),
  vega(
    'FlightsByDay',
    'Flights over time',
    {
      measures: [view('count')],
      timeDimensions: [{ dimension: view('date'), granularity: 'day', dateRange: ['2001-01-01', '2001-06-30'] }],
    },
    {
      $schema: lite,
      data: { name: 'rows' },
      mark: { type: 'line' },
      encoding: {
        x: { field: view('date.day'), type: 'temporal', title: null },
        y: { ...quantitative('count', null), scale: { zero: false } },
      },
    },
  ),
  vega(
    'DistanceMix1',
    'Flights by distance (miles)',
    { measures: [view('count')], dimensions: [view('distance_band')] },
    {
      $schema: lite,
      data: { name: 'rows' },
      mark: { type: 'bar' },
      encoding: {
        y: {
          field: view('distance_band'),
          type: 'nominal',
          title: null,
          sort: ['under 500', '500 to 999', '1,000 to 1,999', '2,000 and more'],
        },
        x: quantitative('count', null),
      },
    },
  ),
  vega(
    'DelayByHour1',
    'Average delay by hour of departure (minutes)',
    { measures: [view('average_delay')], dimensions: [view('hour')], order: [[view('hour'), 'asc']], ...daytime },
    {
      $schema: lite,
      data: { name: 'rows' },
      mark: { type: 'bar' },
      encoding: {
        x: { field: view('hour'), type: 'ordinal', title: null, axis: { labelAngle: 0 } },
        y: quantitative('average_delay', null),
      },
    },
  ),
  vega(
    'WeekdayHour1',
    'On-time share by weekday and hour',
    {
      measures: [view('on_time_share')],
      dimensions: [view('weekday'), view('hour')],
      ...daytime,
      order: [
        [view('weekday'), 'asc'],
        [view('hour'), 'asc'],
      ],
    },
    {
      $schema: lite,
      data: { name: 'rows' },
      mark: { type: 'rect' },
      encoding: {
        x: { field: view('hour'), type: 'ordinal', title: null, axis: { labelAngle: 0 } },
        y: { field: view('weekday'), type: 'ordinal', title: null, axis: { labelExpr: weekdays } },
        color: { ...quantitative('on_time_share', null), legend: { format: '.0%' } },
      },
    },
  ),
  // In SQL. A load query says the same, so that the dashboard's controls reach it; it is drawn by the names of the SQL.
  {
    publicId: 'OnTimeByTime',
    name: 'On-time share over time',
    sqlQuery: `
      SELECT DATE_TRUNC('month', date) AS month, MEASURE(on_time_share) AS on_time
      FROM departures
      GROUP BY 1
      ORDER BY 1`,
    meta: {
      kind: 'vega',
      spec: {
        $schema: lite,
        data: { name: 'rows' },
        mark: { type: 'line' },
        encoding: {
          x: { field: 'month', type: 'temporal', title: null },
          y: {
            field: 'on_time',
            type: 'quantitative',
            title: null,
            axis: { format: '.0%' },
            scale: { zero: false },
          },
        },
      },
    },
  },
  // In SQL that goes beyond a load query: it runs as it stands, and its tile says which controls don't reach it.
  {
    publicId: 'RunningShare',
    name: 'Running share of the top ten cities',
    sqlQuery: `
      SELECT
        city,
        flights,
        flights / SUM(flights) OVER () AS share,
        SUM(flights) OVER (ORDER BY flights DESC, city) / SUM(flights) OVER () AS running_share
      FROM (
        SELECT destination_city AS city, MEASURE(count) AS flights
        FROM departures
        GROUP BY 1
      ) AS cities
      ORDER BY flights DESC, city
      LIMIT 10`,
    meta: {
      kind: 'vega',
      preferences: {
        columnFormats: {
          flights: { type: 'number', decimalPlaces: 0 },
          share: { type: 'percent', decimalPlaces: 1 },
          running_share: { type: 'percent', decimalPlaces: 1 },
        },
      },
      spec: {
        $schema: lite,
        data: { name: 'rows' },
        encoding: {
          y: { field: 'city', type: 'nominal', title: null, sort: null },
          x: { type: 'quantitative', title: null, axis: { format: '.0%' } },
        },
        layer: [
          { mark: { type: 'bar' }, encoding: { x: { field: 'share' }, color: { datum: 'City' } } },
          {
            mark: { type: 'line', point: true, orient: 'horizontal' },
            encoding: { x: { field: 'running_share' }, color: { datum: 'Running share' } },
          },
        ],
      },
    },
  },
  {
    publicId: 'Destinations',
    name: 'Busiest destinations',
    meta: { kind: 'table' },
    query: {
      dimensions: [view('destination'), view('destination_city'), view('destination_state')],
      measures: [view('count'), view('average_delay'), view('on_time_share')],
      order: [[view('count'), 'desc']],
      limit: 500,
    },
  },
  vega(
    'DelayByState',
    'Average delay by state',
    {
      measures: [view('average_delay')],
      dimensions: [view('destination_state')],
      order: [[view('average_delay'), 'desc']],
      limit: 12,
    },
    {
      $schema: lite,
      data: { name: 'rows' },
      mark: { type: 'bar' },
      encoding: {
        y: { field: view('destination_state'), type: 'nominal', title: null, sort: '-x' },
        x: quantitative('average_delay', null),
      },
    },
  ),
];
