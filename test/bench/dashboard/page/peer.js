import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';

// The same charts and rows without our elements: `?board=all|some`.

const config = await (await fetch('/api/config')).json();
const board = new URLSearchParams(location.search).get('board');
/** Whether to use the specifications that were compiled on publishing instead of the authored ones. */
const compiled = new URLSearchParams(location.search).has('compiled');
const frame = () => new Promise(requestAnimationFrame);

async function call(method, path, token, body) {
  const response = await fetch(path.startsWith('/') ? config.platformUrl + path : path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

const { sessionId } = await (await fetch('/api/embed-session', { method: 'POST' })).json();
const { token } = await call('POST', '/api/v1/embed/session/token', null, { sessionId });
const [dashboard, deployment, { platformApiToken }] = await Promise.all([
  call('GET', `/api/v1/embed/dashboard/${config.dashboards[board]}`, token),
  call('GET', '/api/v1/deployments/1', token),
  call('POST', '/api/v1/deployments/1/token', token, {}),
]);
const dataUrl = `${deployment.deploymentUrl}/data-api/v1/load`;
const snapshots = new Map(dashboard.reportSnapshots.map(snapshot => [snapshot.reportId, snapshot]));
const charts = dashboard.config.widgets.filter(({ type }) => type === 'CHART');

async function rowsOf(query) {
  for (;;) {
    const answer = await call('POST', dataUrl, platformApiToken, { query });
    if (answer.error !== 'Continue wait') return answer;
  }
}

/** Vega interprets a dot in a field name as a path into an object, so replace dots. */
const flat = name => name.replaceAll('.', '__');

/** Converts rows for a chart: numeric strings to numbers, times to dates. */
function valuesOf({ data, annotation }) {
  const types = new Map();
  for (const [name, { type }] of Object.entries({ ...annotation.dimensions, ...annotation.measures }))
    types.set(name, type);
  for (const name of Object.keys(annotation.timeDimensions)) types.set(name, 'time');
  return data.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const type = types.get(name);
        if (type === 'time') return [flat(name), new Date(`${value}Z`)];
        return [flat(name), type === 'number' && value !== null ? Number(value) : value];
      }),
    ),
  );
}

/**
 * Removes copies that Vega-Lite makes of nested fields. Because the names here are flat, these copies would overwrite
 * values with undefined.
 */
function withoutCopies(data) {
  return {
    ...data,
    transform: data.transform?.filter(({ type, as }) => type !== 'formula' || !as.startsWith('departures__')),
  };
}

function specOf({ spec, meta }, values) {
  const text = JSON.stringify(compiled ? meta.vega : spec).replaceAll(
    /departures(\\\\)?\.(\w+)((\\\\)?\.(day|week|month))?/g,
    (_, __, name, ___, ____, grain) => flat(`departures.${name}${grain ? `.${grain}` : ''}`),
  );
  const parsed = JSON.parse(text);
  if (compiled) {
    parsed.data = parsed.data.map(data => (data.name === 'rows' ? { ...data, values } : withoutCopies(data)));
    return parsed;
  }
  return {
    ...parsed,
    data: { name: 'rows', values },
    width: 'container',
    height: 'container',
    autosize: { type: 'fit', contains: 'padding' },
  };
}

const grid = document.createElement('div');
grid.className = `grid ${board}`;
const boxes = charts.map(() => document.createElement('div'));
grid.append(...boxes);
document.body.append(grid);
const views = new Map();

async function draw(box, { config: { reportId } }, filters) {
  const snapshot = snapshots.get(reportId);
  const { jsonQuery } = snapshot.meta;
  const answer = await rowsOf(
    filters ? { ...jsonQuery, filters: [...(jsonQuery.filters ?? []), ...filters] } : jsonQuery,
  );
  const options = {
    ast: true,
    expr: expressionInterpreter,
    actions: false,
    renderer: 'svg',
    mode: compiled ? 'vega' : 'vega-lite',
  };
  const size = compiled ? { width: box.clientWidth - 60, height: box.clientHeight - 40 } : {};
  views.get(box)?.finalize();
  views.set(box, await embed(box, specOf(snapshot, valuesOf(answer)), { ...options, ...size }));
}

async function drawAll(filters) {
  await Promise.all(charts.map((chart, index) => draw(boxes[index], chart, filters)));
  await frame();
  await new Promise(resolve => setTimeout(resolve));
}

async function show() {
  await drawAll();
  return performance.now();
}

async function filter({ member, value }) {
  const begin = performance.now();
  await drawAll(value === null ? undefined : [{ member, operator: 'equals', values: [value] }]);
  return performance.now() - begin;
}

globalThis.candidate = { shown: show(), filter };
