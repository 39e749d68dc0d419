import type { LitElement } from 'lit';
import type { PaChat } from '../elements/chat/chat-element.js';
import type { PaDashboard } from '../elements/dashboard/dashboard-element.js';
import type { PaReport } from '../elements/report/report-element.js';
import type { PaSession } from '../elements/session/session-element.js';
import type { PaWorkbook } from '../elements/workbook/workbook-element.js';
import type { PaWorkspace } from '../elements/workspace/workspace-element.js';

// Types of the public elements for frameworks, derived from the classes, so that a new property is in all of them.

type SessionEvents = 'pa-session-ready' | 'pa-session-expiring' | 'pa-session-expired' | 'pa-error';
type TileEvents = 'pa-filter-change' | 'pa-load' | 'pa-timing' | 'pa-mark-click' | 'pa-drill' | 'pa-download';
type ChatEvents = 'pa-chat-message' | 'pa-chat-tool' | 'pa-chat-feedback' | 'pa-chat-open-report' | 'pa-chat-error';
type WorkspaceEvents = 'pa-open' | 'pa-publish';

/** The public elements: class and names of its events. */
export interface PublicElements {
  'pa-session': { readonly element: PaSession; readonly events: SessionEvents };
  'pa-dashboard': { readonly element: PaDashboard; readonly events: SessionEvents | TileEvents | 'pa-publish' };
  'pa-report': { readonly element: PaReport; readonly events: SessionEvents | TileEvents };
  'pa-chat': { readonly element: PaChat; readonly events: SessionEvents | ChatEvents };
  'pa-workbook': { readonly element: PaWorkbook; readonly events: SessionEvents | 'pa-publish' };
  'pa-workspace': { readonly element: PaWorkspace; readonly events: SessionEvents | WorkspaceEvents };
}

/** Tag name of a public element. */
export type PublicTag = keyof PublicElements;
/** Class of a public element. */
export type ElementOf<T extends PublicTag> = PublicElements[T]['element'];

type IsMethod<V> = V extends (...parameters: never[]) => unknown ? true : false;

/** Properties of a public element without those of every element, all optional. */
export type ElementProperties<T extends PublicTag> = {
  [K in keyof ElementOf<T> as K extends keyof LitElement
    ? never
    : [IsMethod<ElementOf<T>[K]>] extends [true]
      ? never
      : K]?: ElementOf<T>[K] | undefined;
};

type Kebab<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${Lowercase<First>}${Rest extends Uncapitalize<Rest> ? '' : '-'}${Kebab<Rest>}`
  : S;
type Primitive = string | number | boolean;

/** Attributes of a public element: its properties with text, a number or a boolean, in kebab-case. */
export type ElementAttributes<T extends PublicTag> = {
  [K in keyof ElementProperties<T> & string as [Extract<ElementProperties<T>[K], Primitive>] extends [never]
    ? never
    : Kebab<K>]?: Extract<ElementProperties<T>[K], Primitive> | null | undefined;
};

type Pascal<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<S>;
type Listener<Name extends keyof HTMLElementEventMap> = ((event: HTMLElementEventMap[Name]) => void) | undefined;

/** Listeners with names such as `onPaDrill`. */
export type CamelListeners<T extends PublicTag> = {
  [Name in PublicElements[T]['events'] as `on${Pascal<Name>}`]?: Listener<Name>;
};

/** Listeners with names such as `onpa-drill`. */
export type KebabListeners<T extends PublicTag> = {
  [Name in PublicElements[T]['events'] as `on${Name}`]?: Listener<Name>;
};
