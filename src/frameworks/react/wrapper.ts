'use client';

import {
  createElement,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type {
  CamelListeners,
  ElementAttributes,
  ElementOf,
  ElementProperties,
  KebabListeners,
  PublicTag,
} from '../element-types.js';

/** Props of the React component of a public element: its properties, its events (`onPaDrill`) and those of HTML. */
export type WrapperProps<T extends PublicTag> = ElementProperties<T> &
  CamelListeners<T> &
  Omit<HTMLAttributes<ElementOf<T>>, 'children' | keyof ElementProperties<T>> & {
    readonly ref?: Ref<ElementOf<T>> | undefined;
    readonly children?: ReactNode;
  };

/** The parts of a Lit class that a wrapper reads. */
interface ElementClass {
  readonly elementProperties: ReadonlyMap<PropertyKey, { readonly attribute?: boolean | string }>;
}

interface SplitProps {
  /** HTML attributes and props, which React also renders on a server. */
  readonly rendered: Record<string, unknown>;
  /** Values that no attribute can hold. */
  readonly properties: Map<string, unknown>;
  readonly listeners: Map<string, EventListener>;
}

/**
 * Returns the React component of an element. Attributes are rendered, so that a server renders them too. Properties and
 * listeners are set in an effect, because React does not set them when it hydrates (react#35446).
 */
export function createWrapper<T extends PublicTag>(
  tag: T,
  elementClass: ElementClass,
): (props: WrapperProps<T>) => ReactElement {
  const Wrapper = ({ ref, children, ...props }: WrapperProps<T>): ReactElement => {
    const own = useRef<ElementOf<T>>(null);
    const initialValues = useRef(new Map<string, unknown>());
    const { rendered, properties, listeners } = splitProps(elementClass, props);
    useImperativeHandle<ElementOf<T> | null, ElementOf<T> | null>(ref, () => own.current, []);
    useLayoutEffect(() => {
      if (own.current) setProperties(own.current, properties, initialValues.current);
    });
    useLayoutEffect(() => {
      const element = own.current;
      for (const [name, listener] of listeners) element?.addEventListener(name, listener);
      return () => {
        for (const [name, listener] of listeners) element?.removeEventListener(name, listener);
      };
    });
    return createElement(tag, { ...rendered, ref: own }, children);
  };
  return Wrapper;
}

function splitProps({ elementProperties }: ElementClass, props: object): SplitProps {
  const split: SplitProps = { rendered: {}, properties: new Map(), listeners: new Map() };
  for (const [name, value] of Object.entries(props)) {
    const declared = elementProperties.get(name);
    if (/^onPa[A-Z]/.test(name)) {
      if (typeof value === 'function') split.listeners.set(eventName(name), value);
    } else if (!declared) split.rendered[name] = value;
    else if (declared.attribute === false) split.properties.set(name, value);
    else split.rendered[typeof declared.attribute === 'string' ? declared.attribute : name] = value;
  }
  return split;
}

/** Returns `pa-mark-click` for `onPaMarkClick`. */
function eventName(prop: string): string {
  return prop.slice(2).replace(/[A-Z]/g, (letter, place) => `${place === 0 ? '' : '-'}${letter.toLowerCase()}`);
}

/** Sets changed properties. A property that is no longer passed is reset to its initial value. */
function setProperties(
  element: HTMLElement,
  properties: ReadonlyMap<string, unknown>,
  initialValues: Map<string, unknown>,
): void {
  for (const [name, value] of properties) {
    if (value === undefined) continue;
    if (!initialValues.has(name)) initialValues.set(name, Reflect.get(element, name));
    if (Reflect.get(element, name) !== value) Reflect.set(element, name, value);
  }
  for (const [name, value] of initialValues) {
    if (properties.get(name) !== undefined) continue;
    initialValues.delete(name);
    Reflect.set(element, name, value);
  }
}

/**
 * Types for the tags in JSX, without the components. React sets their properties and events only if it does not hydrate
 * them.
 */
type IntrinsicElements = {
  [T in PublicTag]: ElementProperties<T> &
    ElementAttributes<T> &
    KebabListeners<T> &
    Omit<DetailedHTMLProps<HTMLAttributes<ElementOf<T>>, ElementOf<T>>, keyof ElementProperties<T>>;
};

type PublicIntrinsicElements = IntrinsicElements;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends PublicIntrinsicElements {}
  }
}
