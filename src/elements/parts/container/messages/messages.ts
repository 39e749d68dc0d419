import type { WidgetTrouble } from '../../../../report/widget-tree.js';
import type { Notice } from '../../../messages/messages.js';

/** Words of containers, and of what stands in the place of a widget. */
export interface ContainerMessages {
  /** Name of a bar of tabs whose container has none. */
  readonly tabs: string;
  /** Name of a tab without one. */
  readonly tab: (number: string) => string;
  /** A container without children. */
  readonly empty: Notice;
  /** `name`: a widget's id, or its type. */
  readonly troubles: Readonly<Record<WidgetTrouble, (name: string) => Notice>>;
}
