import { createLocaleContext, type MessageCatalog } from '../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { ChatMessages } from './messages.js';

/** All languages: English at hand, the others in chunks of their own. */
export const catalog: MessageCatalog<ChatMessages> = {
  context: createLocaleContext<ChatMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    ar: () => import('./ar.js').then(module => module.ar),
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
  },
};
