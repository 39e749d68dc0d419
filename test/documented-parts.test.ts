import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tileParts } from '../src/elements/parts/tile/tile-parts.js';
import { appParts, dashboardParts, reportParts } from './elements/documented-parts.js';

const elements = fileURLToPath(new URL('../src/elements/', import.meta.url));

function documented(path: string): string[] {
  const source = readFileSync(`${elements}${path}`, 'utf8');
  return [...new Set([...source.matchAll(/@csspart ([\w-]+)/g)].map(([, name]) => name ?? ''))].sort();
}

/** Elements inside a tile. */
const inTile = [
  'tile',
  'chart',
  'table',
  'kpi',
  'map',
  'sankey',
  'html',
  'custom',
  'text',
  'hint',
  'wait',
  'menu',
  'drill',
];

describe('parts that a page can style', () => {
  it('are those that the elements document', () => {
    expect([...dashboardParts, ...appParts].sort()).toEqual(documented('dashboard/dashboard-element.ts'));
    expect([...reportParts].sort()).toEqual(documented('report/report-element.ts'));
  });

  it('are forwarded out of every tile', () => {
    const forwarded = tileParts.split(', ');
    const inner = inTile.flatMap(folder =>
      readdirSync(`${elements}parts/${folder}`).flatMap(file =>
        file.endsWith('-element.ts') ? documented(`parts/${folder}/${file}`) : [],
      ),
    );
    expect(inner.filter(name => !forwarded.includes(name))).toEqual([]);
    expect(forwarded.filter(name => !dashboardParts.includes(name))).toEqual([]);
    expect(forwarded.filter(name => !reportParts.includes(name) && name !== 'text')).toEqual([]);
  });
});
