import type { DashboardWidget } from '../../../contract/dashboards.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Mark } from '../../../report/marks/mark.js';
import type { ReportRequest } from '../../../report/query/report-request.js';

/** Marks of a tile that filter other tiles. */
export interface MarkSelection {
  readonly marks: readonly Mark[];
  /** `columnsKey` of the selected columns at the time of the selection. */
  readonly columns: string;
}

const noMarks: readonly Mark[] = [];
/** A selection without marks. */
export const emptySelection: MarkSelection = { marks: noMarks, columns: '' };

/** Returns the columns of a request as a comparable string. */
export function columnsKey(request: ReportRequest | null): string {
  return JSON.stringify(request?.kind === 'load' ? request.columns : null);
}

/**
 * Returns the selected marks that apply to the rows of a request. Returns none if the columns have changed. Otherwise,
 * a selected month, for example, would be mistaken for its first day.
 */
export function applicableMarks(request: ReportRequest | null, { marks, columns }: MarkSelection): readonly Mark[] {
  return marks.length === 0 || columnsKey(request) !== columns ? noMarks : marks;
}

/**
 * Whether selecting a mark of a widget filters other tiles (`ChartWidgetConfig.crossFilter`, otherwise
 * `DashboardSettings.crossFilter`): `true` on selection, `null` only with the menu of the mark, `false` never.
 */
export function crossFilterOf({ config }: DashboardWidget, settings: JsonObject | null | undefined): boolean | null {
  const setting = [config?.crossFilter, settings?.crossFilter].find(value => typeof value === 'boolean');
  return typeof setting === 'boolean' ? setting : null;
}
