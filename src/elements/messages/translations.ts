import type { AttachmentsMessages } from '../chat/attachments/attachments-messages.js';
import type { ChatMessages } from '../chat/chat-messages.js';
import type { CommentMessages } from '../chat/comment/comment-messages.js';
import type { ContextMessages } from '../chat/context/context-messages.js';
import type { PinMessages } from '../chat/pin/pin-messages.js';
import type { ResultMessages } from '../chat/step/result-messages.js';
import type { StepMessages } from '../chat/step/step-messages.js';
import type { ThreadsMessages } from '../chat/threads/threads-messages.js';
import type { TranscriptMessages } from '../chat/transcript/transcript-messages.js';
import type { CreatorMessages } from '../creator/creator-messages.js';
import type { AppMessages } from '../dashboard/app/app-messages.js';
import type { ChartMessages } from '../parts/chart/chart-messages.js';
import type { CommentsMessages } from '../parts/comments/comments-messages.js';
import type { ContainerMessages } from '../parts/container/container-messages.js';
import type { ControlsMessages } from '../parts/controls/controls-messages.js';
import type { DrillMessages } from '../parts/drill/drill-messages.js';
import type { HtmlMessages } from '../parts/html/html-messages.js';
import type { KpiMessages } from '../parts/kpi/kpi-messages.js';
import type { MapMessages } from '../parts/map/map-messages.js';
import type { MenuMessages } from '../parts/menu/menu-messages.js';
import type { SankeyMessages } from '../parts/sankey/sankey-messages.js';
import type { SubscribeMessages } from '../parts/subscribe/subscribe-messages.js';
import type { TableMessages } from '../parts/table/table-messages.js';
import type { ViewsMessages } from '../parts/views/views-messages.js';
import type { ExploreMessages } from '../workbook/explore/explore-messages.js';
import type { WorkbookMessages } from '../workbook/workbook-messages.js';
import type { WorkspaceMessages } from '../workspace/list/workspace-messages.js';
import type { PageMessages } from './page-messages.js';
import type { PrintMessages } from './print-messages.js';

/** Messages of all elements of dashboards and reports, in one language: one lazy-loaded chunk. */
export interface DashboardTranslations {
  readonly page: PageMessages;
  readonly chart: ChartMessages;
  readonly container: ContainerMessages;
  readonly controls: ControlsMessages;
  readonly drill: DrillMessages;
  readonly html: HtmlMessages;
  readonly kpi: KpiMessages;
  readonly map: MapMessages;
  readonly menu: MenuMessages;
  readonly print: PrintMessages;
  readonly sankey: SankeyMessages;
  readonly table: TableMessages;
}

/** Messages of all elements of the chat, in one language: one lazy-loaded chunk. */
export interface ChatTranslations {
  readonly chat: ChatMessages;
  readonly transcript: TranscriptMessages;
  readonly step: StepMessages;
  readonly result: ResultMessages;
  readonly threads: ThreadsMessages;
  readonly attachments: AttachmentsMessages;
  readonly comment: CommentMessages;
  readonly context: ContextMessages;
  readonly pin: PinMessages;
}

/** Messages of all elements in which users build dashboards, in one language: one lazy-loaded chunk. */
export interface CreatorTranslations {
  readonly creator: CreatorMessages;
  readonly workspace: WorkspaceMessages;
  readonly workbook: WorkbookMessages;
  readonly explore: ExploreMessages;
}

/** Messages that viewers need for comments, subscriptions, saved views and apps: one lazy-loaded chunk per language. */
export interface ViewerTranslations {
  readonly app: AppMessages;
  readonly comments: CommentsMessages;
  readonly subscribe: SubscribeMessages;
  readonly views: ViewsMessages;
}
