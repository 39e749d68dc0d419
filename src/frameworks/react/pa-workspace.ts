'use client';

import { PaWorkspace as Element } from '../../elements/workspace/pa-workspace.js';
import { createWrapper } from './wrapper.js';

/** The workspace: `<pa-workspace>` with its properties, and its events as `onPaOpen` and so on. */
export const PaWorkspace = createWrapper('pa-workspace', Element);
