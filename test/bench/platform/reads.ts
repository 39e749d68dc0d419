import { askChild } from '../data-child.js';
import type { Load, LoadResult } from '../data-generator.js';
import { type Figure, millis } from '../figures.js';
import { type Host, requestText } from './host.js';

const load = { connections: 32, warmUpMs: 3_000, measureMs: 8_000 } as const;
const tenants = 10;
const boards = 10;
const tiles = 8;

/** Measures reads of published dashboards by users of several tenants with access to all of them. */
export async function* readFigures(host: Host): AsyncGenerator<Figure, void> {
  const publicIds: string[] = [];
  for (let board = 0; board < boards; board++) publicIds.push(await publish(host, board));
  const tokens: string[] = [];
  for (let tenant = 0; tenant < tenants; tenant++) tokens.push(await host.embedToken(`readers-${tenant}`, 'reader'));
  const bytes = (await (await read(host, publicIds[0] ?? '', tokens[0] ?? '')).text()).length;
  const requests = publicIds.flatMap(publicId =>
    tokens.map(token => requestText('GET', path(publicId), host.url, '', `authorization: Bearer ${token}`)),
  );
  const sent: Load = { ...load, port: Number(new URL(host.url).port), requests };
  const { perSecond, medianMs, p99Ms, failed } = await askChild<LoadResult>('data-generator.ts', sent);
  const what = `reads of ${boards} published dashboards of ${(bytes / 1000).toFixed(1)} kB by ${tenants} tenants, ${load.connections} connections`;
  yield { what, measured: `${Math.round(perSecond)}/s (failed ${failed})`, aim: '3000/s' };
  yield { what: 'the same, median', measured: millis(medianMs), aim: '' };
  yield { what: 'the same, p99', measured: millis(p99Ms), aim: '20 ms' };
}

const path = (publicId: string): string => `/api/v1/embed/dashboard/${publicId}`;

async function read(host: Host, publicId: string, token: string): Promise<Response> {
  const response = await fetch(`${host.url}${path(publicId)}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`A dashboard request returned ${response.status}.`);
  return response;
}

async function publish(host: Host, board: number): Promise<string> {
  const widgets = [];
  for (let tile = 0; tile < tiles; tile++) {
    const publicId = `Board${String(board).padStart(3, '0')}Tile`.slice(0, 11) + String(tile);
    const { id } = await host.call('PUT', `/api/v1/deployments/1/reports/by-public-id/${publicId}`, {
      name: `Report ${tile}`,
      jsonQuery: JSON.stringify({ measures: ['flights.count'], dimensions: ['flights.origin'], limit: 100 + tile }),
      meta: { kind: 'vega', spec },
    });
    widgets.push({ id: `tile-${tile}`, type: 'CHART', position, config: { reportId: Number(id) } });
  }
  const workbook = await host.call('PUT', `/api/v1/deployments/1/workbooks/by-slug/board-${board}`, { name: 'Board' });
  const own = `/api/v1/deployments/1/workbooks/${Number(workbook.id)}`;
  const config = { title: `Board ${board}`, widgets };
  const { publicId } = await host.call('POST', `${own}/publish`, { config, allowEmbed: true });
  await host.call('PUT', `${own}/embed-access`, { allEmbedUsers: true, action: 'read' });
  return String(publicId);
}

const position = { x: 0, y: 0, w: 4, h: 3 };
const spec = {
  mark: 'bar',
  encoding: {
    x: { field: 'flights.origin', type: 'nominal' },
    y: { field: 'flights.count', type: 'quantitative' },
    color: { field: 'flights.origin', type: 'nominal' },
  },
};
