import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type { PaDrillEvent } from '../../src/elements/events.js';
import type {
  CamelListeners,
  ElementAttributes,
  ElementProperties,
  KebabListeners,
  PublicElements,
  PublicTag,
} from '../../src/frameworks/element-types.js';
import type { Filters } from '../../src/report/controls/control-state.js';

const session = {
  'pa-session-ready': true,
  'pa-session-expiring': true,
  'pa-session-expired': true,
  'pa-error': true,
} as const;
const tiles = {
  'pa-filter-change': true,
  'pa-load': true,
  'pa-timing': true,
  'pa-mark-click': true,
  'pa-drill': true,
  'pa-download': true,
} as const;

/**
 * The names of the events. The compiler compares them with the types, and the test compares them with the comments of
 * the elements.
 */
const events: { [T in PublicTag]: Record<PublicElements[T]['events'], true> } = {
  'pa-session': session,
  'pa-dashboard': { ...session, ...tiles, 'pa-publish': true },
  'pa-report': { ...session, ...tiles },
  'pa-chat': {
    ...session,
    'pa-chat-message': true,
    'pa-chat-tool': true,
    'pa-chat-feedback': true,
    'pa-chat-open-report': true,
    'pa-chat-error': true,
  },
  'pa-workspace': { ...session, 'pa-open': true, 'pa-publish': true },
  'pa-workbook': { ...session, 'pa-publish': true },
};

it.each(Object.entries(events))('has the events that <%s> documents', (tag, names) => {
  const folder = tag.slice('pa-'.length);
  const source = readFileSync(new URL(`../../src/elements/${folder}/${folder}-element.ts`, import.meta.url), 'utf8');
  const documented = [...source.matchAll(/@fires \{\w+\} ([\w-]+)/g)].map(([, name]) => name);
  expect(documented.sort()).toEqual(Object.keys(names).sort());
});

it('derives properties, attributes and listeners from the classes', () => {
  expectTypeOf<ElementProperties<'pa-dashboard'>['filters']>().toEqualTypeOf<Filters | null | undefined>();
  expectTypeOf<keyof ElementProperties<'pa-session'>>().toEqualTypeOf<
    'sessionUrl' | 'session' | 'baseUrl' | 'dataApiPath' | 'dialect' | 'aiUrl' | 'locale' | 'timezone'
  >();
  expectTypeOf<ElementAttributes<'pa-chat'>['heading-level']>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<keyof ElementAttributes<'pa-session'>>().toEqualTypeOf<
    'session-url' | 'base-url' | 'data-api-path' | 'dialect' | 'ai-url' | 'locale' | 'timezone'
  >();
  expectTypeOf<CamelListeners<'pa-dashboard'>['onPaDrill']>().toEqualTypeOf<
    ((event: PaDrillEvent) => void) | undefined
  >();
  expectTypeOf<KebabListeners<'pa-dashboard'>['onpa-drill']>().toEqualTypeOf<
    ((event: PaDrillEvent) => void) | undefined
  >();
});
