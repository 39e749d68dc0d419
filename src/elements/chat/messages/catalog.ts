import { createLocaleContext, type MessageCatalog } from '../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { ChatMessages } from './messages.js';

/** All languages: English at hand, the others in chunks of their own. */
export const catalog: MessageCatalog<ChatMessages> = {
  context: createLocaleContext<ChatMessages>(),
  fallback: { locale: 'en', messages: en },
  load: { de: () => import('./de.js').then(module => module.de) },
};
