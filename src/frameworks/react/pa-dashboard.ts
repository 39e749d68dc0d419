'use client';

import { PaDashboard as Element } from '../../elements/dashboard/pa-dashboard.js';
import { createWrapper } from './wrapper.js';

/** A published dashboard: `<pa-dashboard>` with its properties, and its events as `onPaLoad` and so on. */
export const PaDashboard = createWrapper('pa-dashboard', Element);
