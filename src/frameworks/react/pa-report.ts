'use client';

import { PaReport as Element } from '../../elements/report/pa-report.js';
import { createWrapper } from './wrapper.js';

/** One report of a dashboard: `<pa-report>` with its properties, and its events as `onPaLoad` and so on. */
export const PaReport = createWrapper('pa-report', Element);
