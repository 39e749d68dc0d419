import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { cellsByName } from '../../../report/format/calendar-names.js';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import { snapshotRequest } from '../../../report/query/report-request.js';
import type { AnswerRows, MarkTarget } from '../../parts/mark-target.js';
import { noHost, type TileContext, type TileHost } from '../../parts/tile/tile-host.js';
import { TileOverlays } from '../../parts/tile/tile-overlays.js';

/** Options of the marks of an answer. */
interface AnswerMarksOptions {
  /** The dashboard that the marks can filter; `null` if there is none. */
  readonly target: () => MarkTarget | null;
  /** Returns the id of the answer, which is unique on the page. */
  readonly answer: () => string;
  /** The report that runs the query of the answer; `null` if it has none. */
  readonly report: () => ReportSnapshot | null;
  readonly rowSet: () => RowSet | null;
  readonly source: () => SessionSource | null;
  readonly locale: () => string;
  readonly restricted: () => boolean;
  readonly frame: () => HTMLElement | null;
}

/** A report of an answer and its rows. */
interface Subject extends AnswerRows {
  readonly report: ReportSnapshot;
}

const noMarks: readonly Mark[] = [];

/** Offers to filter the dashboard of a chat by a mark of an answer, in the menu of the mark. */
export class AnswerMarks implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: AnswerMarksOptions;
  readonly #overlays: TileOverlays;
  #target: MarkTarget | null = null;
  #unwatch: (() => void) | null = null;
  #subject: Subject | null = null;

  constructor(host: ReactiveControllerHost, options: AnswerMarksOptions) {
    this.#host = host;
    this.#options = options;
    this.#overlays = new TileOverlays(host, () => this.#context());
    host.addController(this);
  }

  /** Opens the menu of a mark; `null` if it has none. */
  get pick(): ((pick: Pick) => void) | null {
    return this.#target && this.#subject ? this.#pick : null;
  }

  /**
   * Returns the marks that filter the dashboard. Marks of a chart have names of weekdays and months, marks of a table
   * have their numbers.
   */
  selectedIn(part: 'chart' | 'table'): readonly Mark[] {
    const subject = this.#subject;
    const marks = (subject && this.#target?.marksOf(this.#options.answer(), subject)) ?? noMarks;
    return marks.length === 0 || part === 'table' ? marks : marks.map(mark => this.#withNames(mark));
  }

  hostUpdate(): void {
    const { target, report, rowSet } = this.#options;
    this.#follow(target());
    const [snapshot, rows] = [target() && report(), rowSet()];
    if (snapshot === this.#subject?.report && rows === this.#subject?.data.rowSet) return;
    const request = snapshot && snapshotRequest(snapshot);
    this.#subject =
      snapshot && request && rows ? { report: snapshot, request, data: { rowSet: rows, totals: new Map() } } : null;
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#follow(null);
  }

  /** Renders the menu. */
  render(): unknown {
    return this.#overlays.render();
  }

  #follow(target: MarkTarget | null): void {
    if (target === this.#target) return;
    this.#unwatch?.();
    this.#target = target;
    this.#unwatch = target?.watch(() => this.#host.requestUpdate()) ?? null;
  }

  readonly #pick = ({ mark, anchor }: Pick): void => {
    if (Object.keys(mark.values).length === 0) return;
    this.#overlays.open({ anchor, mark: this.#withCells(mark), intent: 'menu' });
  };

  #context(): TileContext {
    const { source, restricted, answer, frame } = this.#options;
    const subject = this.#subject;
    const target = this.#target?.isOn ? this.#target : null;
    const choose: TileHost['choose'] = (_tile, picked, how) => {
      if (subject) target?.choose(answer(), subject, picked, how);
    };
    return {
      host: { ...noHost, restricted: restricted(), choose: target && choose },
      source: source(),
      widgetId: null,
      heading: subject?.report.title ?? '',
      level: 3,
      snapshot: subject?.report ?? null,
      request: subject?.request ?? null,
      data: subject?.data ?? null,
      part: 'vega',
      asTable: false,
      crossFilter: null,
      selected: this.selectedIn('table'),
      tools: {
        frame,
        drawing: () => null,
        reload: () => {},
        show: () => {},
        open: subject => this.#overlays.drill(subject),
      },
    };
  }

  /** Returns the mark with the values of the query instead of the names of weekdays and months. */
  #withCells({ values, measure }: Mark): Mark {
    const names = this.#names;
    const cells = Object.entries(values).map(([member, value]) => {
      const cell = names.get(member)?.get(value);
      return [member, cell === undefined ? value : cell];
    });
    return { values: Object.fromEntries(cells), measure };
  }

  #withNames({ values, measure }: Mark): Mark {
    const names = this.#names;
    const cells = Object.entries(values).map(([member, value]) => {
      const [name] = [...(names.get(member) ?? [])].find(([, cell]) => cell === value) ?? [value];
      return [member, name];
    });
    return { values: Object.fromEntries(cells), measure };
  }

  get #names(): ReturnType<typeof cellsByName> {
    const rowSet = this.#subject?.data.rowSet;
    return rowSet ? cellsByName(rowSet, this.#options.locale()) : new Map();
  }
}
