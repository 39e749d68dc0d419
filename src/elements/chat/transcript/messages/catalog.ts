import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { TranscriptMessages } from './messages.js';

/** Words of the messages of a chat: English with them, the others in chunks of their own. */
export const transcriptCatalog: MessageCatalog<TranscriptMessages> = {
  context: createLocaleContext<TranscriptMessages>(),
  fallback: { locale: 'en', messages: en },
  load: { de: () => import('./de.js').then(module => module.de) },
};
