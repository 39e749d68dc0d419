'use client';

import { PaWorkbook as Element } from '../../elements/workbook/pa-workbook.js';
import { createWrapper } from './wrapper.js';

/** The editor: `<pa-workbook>` with its properties, and its events as `onPaPublish` and so on. */
export const PaWorkbook = createWrapper('pa-workbook', Element);
