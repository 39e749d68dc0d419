import type { Mark } from '../../../report/mark.js';
import { type MarkLink, markLinks } from '../../../report/mark-links.js';
import { drillStep, isDrillable, tellDashboard, tellStep } from '../drill/drill-step.js';
import type { MenuRequest, TileContext } from '../tile/tile-host.js';
import { copyRows, downloadCsv, downloadSvg, type Leaver, type Leaving } from './exports.js';
import { enterFullScreen, leaveFullScreen } from './full-screen.js';
import { type MarkState, type MenuCommand, type MenuEntry, menuContext } from './menu-model.js';

/** What is said when something was run; null where what happens says it. */
export type Said = 'copied' | 'copyFailed' | 'downloadFailed' | null;

/** Whether there are rows behind a mark, and where links of the model lead. */
export function markStateOf(context: TileContext, mark: Mark): MarkState {
  return {
    drillable: isDrillable(context, mark),
    links: context.data ? markLinks(mark, context.data.rowSet) : [],
  };
}

/** Does what an item of a menu says. */
export async function runEntry(entry: MenuEntry, context: TileContext, { mark }: MenuRequest): Promise<Said> {
  if (entry.type === 'host') entry.item.run(menuContext(context, mark));
  else if (entry.type === 'command') return runCommand(entry.command, context, mark);
  else if (mark) openDashboard(entry.link, context, mark);
  return null;
}

async function runCommand(command: MenuCommand, context: TileContext, mark: Mark | null): Promise<Said> {
  const { tools, heading, host } = context;
  const frame = tools.frame();
  switch (command) {
    case 'showAsTable':
      tools.show('table');
      return null;
    case 'showAsChart':
      tools.show('chart');
      return null;
    case 'refresh':
      tools.reload();
      return null;
    case 'fullscreen':
      if (frame) await enterFullScreen(frame, heading);
      return null;
    case 'exitFullscreen':
      if (frame) await leaveFullScreen(frame);
      return null;
    case 'showRows':
      if (mark) openRows(context, mark);
      return null;
    case 'filterByThis':
    case 'stopFiltering':
      if (mark) host.choose?.(context, [mark], 'add');
      return null;
    default:
      return leave(command, context);
  }
}

async function leave(command: 'downloadCsv' | 'downloadSvg' | 'copy', context: TileContext): Promise<Said> {
  const { data, heading, tools } = context;
  if (!data) return null;
  const leaver: Leaver = { ...context, title: heading, rowSet: data.rowSet };
  if (command === 'copy') return told(await copyRows(leaver), 'copied', 'copyFailed');
  if (command === 'downloadCsv') return told(downloadCsv(leaver), null, 'downloadFailed');
  const drawing = tools.drawing();
  return drawing ? told(await downloadSvg(leaver, drawing), null, 'downloadFailed') : 'downloadFailed';
}

function told(leaving: Leaving, done: Said, failed: Said): Said {
  return leaving === 'prevented' ? null : leaving === 'done' ? done : failed;
}

/** The page is told first: it may show the rows itself. */
function openRows(context: TileContext, mark: Mark): void {
  const { request, data, snapshot, tools } = context;
  const step = request && data && drillStep({ request, rowSet: data.rowSet, snapshot }, mark, 'en');
  if (step && tellStep(context, mark, step)) tools.open({ type: 'rows', mark });
}

/** The page opens other dashboards; where it doesn't, that is said. */
function openDashboard(link: MarkLink, context: TileContext, mark: Mark): void {
  if (link.type === 'dashboard' && tellDashboard(context, mark, link.slug)) {
    context.tools.open({ type: 'dashboard', label: link.label });
  }
}
