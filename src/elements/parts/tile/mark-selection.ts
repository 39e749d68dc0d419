import type { DashboardWidget } from '../../../contract/dashboards.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Mark } from '../../../report/marks/mark.js';
import type { ReportRequest } from '../../../report/query/report-request.js';

/** Marks of a tile that filter the others. */
export interface MarkSelection {
  readonly marks: readonly Mark[];
  /** `columnsKey` of the selected columns at the time of the selection. */
  readonly columns: string;
}

const noMarks: readonly Mark[] = [];
export const emptySelection: MarkSelection = { marks: noMarks, columns: '' };

/** What the columns of rows stand for, as one text to compare. */
export function columnsKey(request: ReportRequest | null): string {
  return JSON.stringify(request?.kind === 'load' ? request.columns : null);
}

/** Those of the marks that rows of this request can show: after the grain was switched, the first of a month would be the first day of it. */
export function applicableMarks(request: ReportRequest | null, { marks, columns }: MarkSelection): readonly Mark[] {
  return marks.length === 0 || columnsKey(request) !== columns ? noMarks : marks;
}

/**
 * Whether choosing a mark of a widget filters other tiles (`ChartWidgetConfig.crossFilter`, else `DashboardSettings.crossFilter`): true at
 * once, null by the menu of the mark, false never.
 */
export function crossFilterOf({ config }: DashboardWidget, settings: JsonObject | null | undefined): boolean | null {
  const said = [config?.crossFilter, settings?.crossFilter].find(value => typeof value === 'boolean');
  return typeof said === 'boolean' ? said : null;
}
