'use client';

import { PaChat as Element } from '../../elements/chat/pa-chat.js';
import { createWrapper } from './wrapper.js';

/** The chat: `<pa-chat>` with its properties, and its events as `onPaChatMessage` and so on. */
export const PaChat = createWrapper('pa-chat', Element);
