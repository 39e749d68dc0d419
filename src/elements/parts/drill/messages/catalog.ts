import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { DrillMessages } from './messages.js';

/** Words of the dialog with what is behind a mark: English with them, the others in chunks of their own. */
export const drillCatalog: MessageCatalog<DrillMessages> = {
  context: createLocaleContext<DrillMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
    ar: () => import('./ar.js').then(module => module.ar),
  },
};
