import type { ContainerMessages } from './messages.js';

/** English. */
export const en: ContainerMessages = {
  tabs: 'Tabs',
  tab: number => `Tab ${number}`,
  empty: ['Nothing here yet', 'This container holds no tiles.'],
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
  },
};
