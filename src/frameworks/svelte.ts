import type { HTMLAttributes } from 'svelte/elements';
import type { ElementAttributes, ElementOf, ElementProperties, KebabListeners, PublicTag } from './element-types.js';

// Types of the public elements in templates of Svelte. This module has no runtime code.

type Attributes<T extends PublicTag> = ElementProperties<T> &
  ElementAttributes<T> &
  KebabListeners<T> &
  Omit<HTMLAttributes<ElementOf<T>>, keyof ElementProperties<T>>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pa-session': Attributes<'pa-session'>;
    'pa-dashboard': Attributes<'pa-dashboard'>;
    'pa-report': Attributes<'pa-report'>;
    'pa-chat': Attributes<'pa-chat'>;
    'pa-workspace': Attributes<'pa-workspace'>;
    'pa-workbook': Attributes<'pa-workbook'>;
  }
}
