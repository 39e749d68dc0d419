'use client';

import { createElement, type ReactElement, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { PaSession as Element } from '../../elements/session/pa-session.js';
import { SessionElement } from './session-element.js';
import { createWrapper, type WrapperProps } from './wrapper.js';

const Wrapper = createWrapper('pa-session', Element);

/**
 * Provides one session to the components inside it: `<pa-session>` with its properties, and its events as
 * `onPaSessionReady` and so on.
 */
export function PaSession({ ref, children, ...props }: WrapperProps<'pa-session'>): ReactElement {
  const own = useRef<Element>(null);
  const [element, setElement] = useState<Element | null>(null);
  useImperativeHandle<Element | null, Element | null>(ref, () => own.current, []);
  useLayoutEffect(() => setElement(own.current), []);
  return createElement(
    Wrapper,
    { ...props, ref: own },
    createElement(SessionElement.Provider, { value: element }, children),
  );
}
