import type { DefineComponent, HTMLAttributes } from 'vue';
import type { CamelListeners, ElementProperties, PublicTag } from './element-types.js';

// Types of the public elements in templates of Vue. This module has no runtime code.

type Component<T extends PublicTag> = DefineComponent<
  ElementProperties<T> & CamelListeners<T> & Omit<HTMLAttributes, keyof ElementProperties<T>>
>;

declare module 'vue' {
  interface GlobalComponents {
    'pa-session': Component<'pa-session'>;
    'pa-dashboard': Component<'pa-dashboard'>;
    'pa-report': Component<'pa-report'>;
    'pa-chat': Component<'pa-chat'>;
    'pa-workspace': Component<'pa-workspace'>;
    'pa-workbook': Component<'pa-workbook'>;
  }
}
