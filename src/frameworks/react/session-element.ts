'use client';

import { createContext } from 'react';

/** The element of the `<PaSession>` around a component; `null` without one, and until it is rendered. */
export const SessionElement = createContext<Element | null>(null);
