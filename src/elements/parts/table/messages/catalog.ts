import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { TableMessages } from './messages.js';

/** Words of a table: English with it, the others in chunks of their own. */
export const tableCatalog: MessageCatalog<TableMessages> = {
  context: createLocaleContext<TableMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    ar: () => import('./ar.js').then(module => module.ar),
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
  },
};
