import type { TemplateResult } from 'lit';
import { drawIcon } from '../chat/icons.js';

/** Paths of Lucide icons (ISC license), 24 by 24. */
const shapes = {
  back: 'm15 18-6-6 6-6',
  board: 'M4 3h5v9H4zM15 3h5v5h-5zM15 12h5v9h-5zM4 16h5v5H4z',
  check: 'M20 6 9 17l-5-5',
  chevron: 'm9 18 6-6-6-6',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  cross: 'M18 6 6 18M6 6l12 12',
  dots: 'M11.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M18.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M4.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0',
  filter: 'M22 3H2l8 9.5V19l4 2v-8.5z',
  folder:
    'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.7-.9l-.8-1.2A2 2 0 0 0 7.9 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z',
  down: 'M12 5v14M19 12l-7 7-7-7',
  grip: 'M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01',
  history: 'M3 12a9 9 0 1 0 9-9 9.7 9.7 0 0 0-6.7 2.7L3 8M3 3v5h5M12 7v5l4 2',
  move: 'M2 9V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.7.9l.8 1.2a2 2 0 0 0 1.7.9H20a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H2M2 13h10M9 16l3-3-3-3',
  pencil: 'M21.2 6.8a1 1 0 0 0-4-4L3.8 16.2a2 2 0 0 0-.5.8L2 21.4a.5.5 0 0 0 .6.6l4.4-1.3a2 2 0 0 0 .8-.5zM15 5l4 4',
  narrower: 'M3 12h6M21 12h-6M6 9l3 3-3 3M18 9l-3 3 3 3',
  plus: 'M5 12h14M12 5v14',
  redo: 'm15 14 5-5-5-5M20 9H9.5a5.5 5.5 0 0 0 0 11H13',
  search: 'M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0M21 21l-4.3-4.3',
  sliders: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M14 4v4M6 10v4M12 16v4',
  star: 'm12 2 3.1 6.3 6.9 1-5 4.9 1.2 6.8L12 17.8 5.8 21 7 14.2l-5-4.9 6.9-1z',
  text: 'M4 7V5h16v2M9 19h6M12 5v14',
  trash: 'M3 6h18M19 6v14c0 1-1 2-2 2H7c-1 0-2-1-2-2V6M8 6V4c0-1 1-2 2-2h4c1 0 2 1 2 2v2M10 11v6M14 11v6',
  undo: 'M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
  up: 'M12 19V5M5 12l7-7 7 7',
  wider: 'M9 12H3M15 12h6M6 9l-3 3 3 3M18 9l3 3-3 3',
} as const;

/** Name of an icon. */
export type CreatorIcon = keyof typeof shapes;

/** Renders a decorative icon; adjacent text or a label must carry its meaning. */
export function icon(name: CreatorIcon): TemplateResult {
  return drawIcon(shapes[name]);
}
