'use client';

import { createContext } from 'react';

/** The element of the `<PaSession>` around a component; `null` if there is none or it is not rendered yet. */
export const SessionElement = createContext<Element | null>(null);
