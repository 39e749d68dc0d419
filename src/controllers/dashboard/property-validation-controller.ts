import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Allowed types of a property, in addition to null and undefined. */
type PropertyKind = 'text' | 'number' | 'object' | 'list' | 'listOrFunction' | 'function';

/** Type names for the warning. */
const typeNames: Readonly<Record<PropertyKind, string>> = {
  text: 'a string',
  number: 'a number',
  object: 'an object',
  list: 'an array',
  listOrFunction: 'an array or a function',
  function: 'a function',
};

/** Whether a value has the allowed type. */
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
 * Warns on the console, once per property, if a page sets a property to a value of the wrong type, because nothing
 * enforces types at run time. Readers of the property ignore invalid values.
 */
export class PropertyValidationController<K extends string> implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element & Readonly<Record<K, unknown>>;
  readonly #kinds: readonly (readonly [name: K, kind: PropertyKind])[];
  readonly #warned = new Set<K>();

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
      if (value === null || value === undefined || this.#warned.has(name) || isOfKind(value, kind)) continue;
      this.#warned.add(name);
      // biome-ignore lint/suspicious/noConsole: only the console can report a wrong type at run time.
      console.warn(`<${this.#host.localName}>: ${name} must be ${typeNames[kind]}. The current value is ignored.`);
    }
  }
}

/** Property types of both dashboards and reports. */
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
  ['exportUrl', 'text'],
] as const;
