import '/pa-embed/pa-embed.js';

// Page of the benchmark. `?board=all|some` shows a dashboard at once; without it the page is empty.

const frame = () => new Promise(requestAnimationFrame);
const painted = async () => {
  await frame();
  await new Promise(resolve => setTimeout(resolve));
};
const config = await (await fetch('/api/config')).json();

function session() {
  const element = document.createElement('pa-session');
  element.setAttribute('session-url', '/api/embed-session');
  element.setAttribute('base-url', config.platformUrl);
  return element;
}

function dashboardOf(board) {
  const element = document.createElement('pa-dashboard');
  element.setAttribute('public-id', config.dashboards[board]);
  return element;
}

const tilesOf = element => [...(element.shadowRoot?.querySelectorAll('pa-tile') ?? [])];

/** Resolves when all visible tiles are rendered and painted. Reads no positions, because that would force a layout. */
async function drawn(dashboard, board) {
  while (tilesOf(dashboard).length === 0) await frame();
  await Promise.all(
    tilesOf(dashboard)
      .slice(0, config.boards[board].inView)
      .map(tile => tile.settled),
  );
  await painted();
}

function countInView() {
  const isInView = tile => tile.getBoundingClientRect().top < innerHeight;
  return tilesOf(document.querySelector('pa-dashboard')).filter(isInView).length;
}

const board = new URLSearchParams(location.search).get('board');
const place = session();
document.body.append(place);

async function show() {
  if (board === null) return 0;
  const dashboard = dashboardOf(board);
  place.append(dashboard);
  await drawn(dashboard, board);
  return performance.now();
}
const shown = show();

/** Adds a dashboard, waits until it is rendered, and removes it. */
async function mountAndRemove(name) {
  const dashboard = dashboardOf(name);
  place.append(dashboard);
  await drawn(dashboard, name);
  dashboard.remove();
  await painted();
}

/** Filters the dashboard and waits until every tile has rendered its new rows. */
async function filter({ member, value }) {
  const dashboard = document.querySelector('pa-dashboard');
  const drawn = new Set();
  const { length } = tilesOf(dashboard);
  const begin = performance.now();
  const all = new Promise(resolve => {
    dashboard.addEventListener('pa-timing', function count({ detail }) {
      drawn.add(detail.widgetId);
      if (drawn.size < length) return;
      dashboard.removeEventListener('pa-timing', count);
      resolve();
    });
  });
  dashboard.setState({ filters: value === null ? {} : { [member]: { operator: 'equals', value: [value] } } });
  await all;
  await painted();
  return performance.now() - begin;
}

function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const number = name => ({
  member: name,
  kind: 'measure',
  annotation: { title: name, shortTitle: name, type: 'number' },
});

/** Returns a random walk of `count` points, or `count` random points. */
function rowSetOf(kind, count) {
  const random = randomOf(7);
  let y = 0;
  const rows = Array.from({ length: count }, (_, index) => {
    y = kind === 'line' ? y + random() - 0.5 : random();
    return { x: kind === 'line' ? index : random(), y };
  });
  return { columns: [number('x'), number('y')], rows, truncated: false, lastRefreshTime: null };
}

function tableRowSet(count) {
  const names = Array.from({ length: 12 }, (_, index) => `column ${index + 1}`);
  const rows = Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, index) => [name, index === 0 ? `row ${row}` : row * (index + 1)])),
  );
  const columns = names.map((name, index) =>
    index === 0
      ? { member: name, kind: 'dimension', annotation: { title: name, shortTitle: name, type: 'string' } }
      : number(name),
  );
  return { columns, rows, truncated: false, lastRefreshTime: null };
}

const large = await (await fetch('/api/large')).json();

async function drawReport(snapshot, rows) {
  const report = document.createElement('pa-report');
  report.snapshot = snapshot;
  report.rows = rows;
  const begin = performance.now();
  document.body.prepend(report);
  await report.loadAll();
  await painted();
  return { report, took: performance.now() - begin };
}

/** Returns the time from adding a chart with preloaded rows until it is painted, in ms. */
async function chart(kind, count) {
  const { report, took } = await drawReport(large[kind], rowSetOf(kind, count));
  report.remove();
  await painted();
  return took;
}

/** Finds the scroll container of a report's table in nested shadow roots. */
function scrollerIn(node) {
  for (const element of node.querySelectorAll('*')) {
    if (element.matches('.scroller')) return element;
    const found = element.shadowRoot && scrollerIn(element.shadowRoot);
    if (found) return found;
  }
  return null;
}

/** Returns the times between frames while scrolling through a table of `count` rows, in ms. */
async function scroll(count) {
  const snapshot = { id: 1, reportId: 1, versionNumber: 1, name: 'Rows', kind: 'table' };
  const { report } = await drawReport(snapshot, tableRowSet(count));
  const scroller = scrollerIn(report.shadowRoot);
  const steps = 120;
  const frames = [];
  let last = await frame();
  for (let step = 1; step <= steps; step++) {
    // Most steps are small, every tenth is large.
    scroller.scrollTop += step % 10 === 0 ? scroller.scrollHeight / 15 : 160;
    const now = await frame();
    frames.push(now - last);
    last = now;
  }
  report.remove();
  return frames;
}

globalThis.candidate = { shown, countInView, filter, mountAndRemove, chart, scroll };
