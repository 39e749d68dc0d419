import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ReportFile } from '../../src/contract/content-files.js';
import { DashboardDraftInput, ReportMeta } from '../../src/contract/dashboard-input.js';
import { PivotItemsInput } from '../../src/contract/report-input.js';

const text = readFileSync(new URL('../../docs/dashboards.md', import.meta.url), 'utf8');
const blocks: Record<string, unknown>[] = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) =>
  parse(yaml),
);

/** Replaces the public id of a report with a number, as `pa-platform apply` does. */
function withReportId(widget: { config?: { report?: string } }) {
  const { report, ...config } = widget.config ?? {};
  return report === undefined ? widget : { ...widget, config: { ...config, reportId: 1 } };
}

/** Returns the schema of an example, and the value to parse with it. */
function schemaOf(block: Record<string, unknown>): readonly [schema: z.ZodMiniType, value: unknown] {
  if (Array.isArray(block)) {
    // The examples of containers and mappings list only some widgets of a dashboard.
    const others = ['table', 'map', 'status', 'grain'].filter(id => !block.some(widget => widget.id === id));
    const position = { x: 0, y: 0, w: 1, h: 1 };
    const widgets = others.map(id => ({ id, type: 'SPACER', position }));
    return [DashboardDraftInput, { widgets: [...block.map(withReportId), ...widgets] }];
  }
  if ('publish' in block) {
    const dashboard = block.dashboard as { widgets: object[] };
    return [DashboardDraftInput, { ...dashboard, widgets: dashboard.widgets.map(withReportId) }];
  }
  if ('pivotItems' in block) return [PivotItemsInput, block.pivotItems];
  if ('meta' in block) return [ReportFile, block];
  if ('widgets' in block) return [DashboardDraftInput, { theme: block }];
  return [ReportMeta, block];
}

describe('docs/dashboards.md', () => {
  it.each(blocks.map(block => [Object.keys(block).join(', '), block] as const))(
    'has a valid example with %s',
    (_, block) => {
      const [schema, value] = schemaOf(block);
      expect(z.safeParse(schema, value).error?.issues ?? []).toEqual([]);
    },
  );
});
