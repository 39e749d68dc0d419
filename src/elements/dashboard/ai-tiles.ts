import type { ReactiveControllerHost } from 'lit';
import type { AiWidget } from '../../contract/ai-widgets.js';
import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';
import { AiWidgetsController, type LoadedAiWidgets } from '../../controllers/dashboard/ai-widgets-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { type PinTarget, setPinTarget } from '../parts/pin-target.js';
import type { AnswerNotice, TileContent } from '../parts/tile/tile-view.js';
import type { DashboardTile, WidgetList } from './widgets.js';

const notices: Readonly<Partial<Record<string, AnswerNotice>>> = {
  deleted: 'answerDeleted',
  noQuery: 'answerWithoutQuery',
};
const noSnapshots: readonly ReportSnapshot[] = [];
const loading: TileContent = { type: 'answer', state: { status: 'loading' } };

/** Content and title of a tile. */
type TileFace = Pick<DashboardTile, 'content' | 'title'>;

/** Manages the tiles of AI widgets: loads their content, and lets a chat pin answers to them. */
export class AiTiles {
  readonly #host: ReactiveControllerHost & Element;
  readonly #widgets: AiWidgetsController;
  readonly #contents = new WeakMap<object, TileContent>();
  #loaded: LoadedAiWidgets | null = null;
  #list: WidgetList | null = null;
  #snapshots = noSnapshots;

  constructor(
    host: ReactiveControllerHost & Element & { readonly isConnected: boolean },
    options: { readonly source: () => SessionSource | null; readonly dashboard: () => Dashboard | null },
  ) {
    this.#host = host;
    this.#widgets = new AiWidgetsController(host, options);
  }

  /** Reports of the pinned answers. Returns the same array until they change. */
  get snapshots(): readonly ReportSnapshot[] {
    return this.#snapshots;
  }

  /** The pinned answers, as the viewer sees them. */
  get answers(): readonly AiWidget[] {
    return [...(this.#loaded?.byId.values() ?? [])];
  }

  /**
   * Synchronizes with the widgets of the dashboard, or with `null` if there is no dashboard. Call it before every
   * render.
   */
  follow(list: WidgetList | null): void {
    const { loaded } = this.#widgets;
    if (loaded === this.#loaded && list === this.#list) return;
    if (loaded !== this.#loaded) {
      const found = [...(loaded?.byId.values() ?? [])].flatMap(({ snapshot }) => snapshot ?? []);
      this.#snapshots = found.length > 0 ? found : noSnapshots;
    }
    this.#loaded = loaded;
    this.#list = list;
    setPinTarget(this.#host, this.#targetOf(loaded, list));
  }

  /** Reloads the answers, because an author may have pinned different answers. */
  async refresh(): Promise<void> {
    if (this.#loaded) await this.#widgets.reload();
  }

  /** Resolves when the answers are loaded or have failed. */
  settled(): Promise<void> {
    return this.#widgets.settled();
  }

  /**
   * Returns the content and title of a tile: of the pinned answer if the tile is an AI widget, otherwise of the widget
   * list.
   */
  faceOf({ widget, content, title }: DashboardTile): TileFace {
    if (content.type !== 'answer') return { content, title };
    const found = this.#loaded?.byId.get(widget.id);
    const { config } = widget;
    return { content: this.#contentOf(found), title: (!config?.title && found?.snapshot?.title) || title };
  }

  #contentOf(widget: AiWidget | undefined): TileContent {
    const { state } = this.#widgets;
    if (widget) return this.#cached(widget, () => contentOf(widget, { canPin: this.#loaded?.canPin ?? false }));
    if (state.status !== 'failed') return loading;
    const { problem } = state;
    return this.#cached(problem, () => ({
      type: 'answer',
      state: { status: 'failed', problem, retry: () => this.#widgets.reload() },
    }));
  }

  #cached(key: object, create: () => TileContent): TileContent {
    const content = this.#contents.get(key) ?? create();
    this.#contents.set(key, content);
    return content;
  }

  #targetOf(loaded: LoadedAiWidgets | null, list: WidgetList | null): PinTarget | null {
    if (!loaded?.canPin || !list) return null;
    const tiles = [...list.tiles.values()].filter(({ content }) => content.type === 'answer');
    const widgets = tiles.map(tile => {
      const { id } = tile.widget;
      return { id, title: this.faceOf(tile).title, isTaken: loaded.byId.get(id)?.state !== 'empty' };
    });
    if (widgets.length === 0) return null;
    return {
      widgets,
      pin: (widgetId, answer) => this.#widgets.pin(widgetId, answer),
      undo: (widgetId, checksum) => this.#widgets.pin(widgetId, { threadId: null, checksum }),
    };
  }
}

function contentOf({ state, snapshot }: AiWidget, { canPin }: { readonly canPin: boolean }): TileContent {
  if (snapshot) return { type: 'report', snapshot };
  const empty = canPin ? 'answerToPin' : 'noAnswer';
  const notice = state === 'empty' ? empty : (notices[state] ?? 'answerUnavailable');
  return { type: 'answer', state: { status: 'missing', notice } };
}
