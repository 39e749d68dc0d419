import type { ContainerMessages } from './messages.js';

/** German. */
export const de: ContainerMessages = {
  tabs: 'Registerkarten',
  tab: number => `Registerkarte ${number}`,
  empty: ['Noch nichts hier', 'Dieser Container enthält keine Kacheln.'],
  troubles: {
    type: name => ['Noch nicht unterstützt', `Widgets vom Typ ${name} können hier noch nicht gezeigt werden.`],
    missing: name => ['Ein Widget fehlt', `„${name}“ ist hier genannt, gehört aber nicht zum Dashboard.`],
    twice: name => ['Steht an anderer Stelle', `„${name}“ ist mehrfach genannt und steht an der ersten Stelle.`],
    cycle: name => [
      'Ein Container in sich selbst',
      `„${name}“ kann nicht in sich selbst stehen. Wer das Dashboard erstellt hat, muss es ändern.`,
    ],
    deep: name => ['Zu tief verschachtelt', `Container reichen bis zu vier Ebenen tief; „${name}“ wäre die fünfte.`],
    app: () => ['Noch nicht unterstützt', 'Dashboards dieser Art können hier noch nicht gezeigt werden.'],
  },
};
