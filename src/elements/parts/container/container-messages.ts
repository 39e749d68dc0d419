import type { WidgetError } from '../../../report/layout/widget-tree.js';
import type { MessageTree, Notice } from '../../messages/message-format.js';

/** English messages of containers, and of widgets that cannot be shown. */
export const containerMessages = {
  /** Name of a tab bar whose container has no title. */
  tabs: 'Tabs',
  /** Name of a tab without a title. */
  tab: (number: string) => `Tab ${number}`,
  /** A container without children. */
  empty: ['Nothing here yet', 'This container holds no tiles.'],
  /** `name`: the id of a widget, or its type. */
  troubles: {
    type: name => ['Not supported yet', `Widgets of type ${name} can’t be shown here yet.`],
    missing: name => ['A widget is missing', `“${name}” is named here, and the dashboard doesn’t have it.`],
    twice: name => ['Shown elsewhere', `“${name}” is named more than once; it stands in the first place.`],
    cycle: name => [
      'A container in itself',
      `“${name}” can’t stand in itself. Whoever made the dashboard has to change it.`,
    ],
    deep: name => ['Nested too deeply', `Containers nest up to four deep; “${name}” would be the fifth.`],
    app: () => ['Not supported yet', 'Dashboards of this kind can’t be shown here yet.'],
  } satisfies Readonly<Record<WidgetError, (name: string) => Notice>>,
} satisfies MessageTree;

/** Messages of containers, and of widgets that cannot be shown, in one language. */
export type ContainerMessages = typeof containerMessages;
