import type { WidgetError } from '../../../report/layout/widget-tree.js';
import type { MessageTree, Notice } from '../../messages/message-format.js';

/** English messages of containers, and of widgets that cannot be shown. */
export const containerMessages = {
  /** Name of a tab bar whose container has no title. */
  tabs: 'Tabs',
  /** Name of a tab without a title. */
  tab: (number: string) => `Tab ${number}`,
  /** A container without children. */
  empty: ['Nothing here yet', 'This container has no tiles.'],
  /** `name`: the id of a widget, or its type. */
  widgetErrors: {
    type: name => ['Not supported yet', `Widgets of type ${name} can’t be shown here yet.`],
    missing: name => ['A widget is missing', `The dashboard has no widget “${name}”.`],
    twice: name => ['Shown elsewhere', `Several containers list “${name}”. It is shown in the first one.`],
    cycle: name => [
      'A container contains itself',
      `“${name}” can’t contain itself. The author of the dashboard needs to fix it.`,
    ],
    deep: name => [
      'Nested too deeply',
      `Containers can be nested up to four levels deep. “${name}” would be the fifth level.`,
    ],
    app: () => ['This dashboard is an app', 'Apps are shown only in pages that allow them (allow-apps).'],
  } satisfies Readonly<Record<WidgetError, (name: string) => Notice>>,
} satisfies MessageTree;

/** Messages of containers, and of widgets that cannot be shown, in one language. */
export type ContainerMessages = typeof containerMessages;
