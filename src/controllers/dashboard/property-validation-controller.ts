import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What a property may be, beside null and undefined. */
type PropertyKind = 'text' | 'number' | 'object' | 'list' | 'listOrFunction' | 'function';

/** Words for whoever builds the page. */
const words: Readonly<Record<PropertyKind, string>> = {
  text: 'a text',
  number: 'a number',
  object: 'an object',
  list: 'a list',
  listOrFunction: 'a list or a function',
  function: 'a function',
};

/** Whether a property is what it may be. */
function isOfKind(value: unknown, kind: PropertyKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'list':
      return Array.isArray(value);
    case 'listOrFunction':
      return Array.isArray(value) || typeof value === 'function';
    case 'function':
      return typeof value === 'function';
  }
}

/**
 * Tells on the console, once a property, what a page gives wrongly: types hold nobody back in a page. Whoever reads the property passes
 * it over, so that nothing else breaks.
 */
export class PropertyValidationController<K extends string> implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element & Readonly<Record<K, unknown>>;
  readonly #kinds: readonly (readonly [name: K, kind: PropertyKind])[];
  readonly #told = new Set<K>();

  constructor(
    host: ReactiveControllerHost & Element & Readonly<Record<K, unknown>>,
    kinds: readonly (readonly [name: K, kind: PropertyKind])[],
  ) {
    this.#host = host;
    this.#kinds = kinds;
    host.addController(this);
  }

  hostUpdate(): void {
    for (const [name, kind] of this.#kinds) {
      const value = this.#host[name];
      if (value === null || value === undefined || this.#told.has(name) || isOfKind(value, kind)) continue;
      this.#told.add(name);
      // biome-ignore lint/suspicious/noConsole: the host's types may hold nobody back, and nothing else tells its author.
      console.warn(`<${this.#host.localName}>: ${name} has to be ${words[kind]}. What it is now is passed over.`);
    }
  }
}

/** What both dashboards and reports are given. */
export const sharedPropertyKinds = [
  ['filters', 'object'],
  ['lockedFilters', 'object'],
  ['locale', 'text'],
  ['timezone', 'text'],
  ['theme', 'object'],
  ['imageOrigins', 'list'],
  ['menuItems', 'listOrFunction'],
  ['headingLevel', 'number'],
  ['session', 'function'],
  ['sessionUrl', 'text'],
  ['baseUrl', 'text'],
  ['dataApiPath', 'text'],
] as const;
