import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { KpiMessages } from './messages.js';

/** Words of figures: English with them, the others in chunks of their own. */
export const kpiCatalog: MessageCatalog<KpiMessages> = {
  context: createLocaleContext<KpiMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    ar: () => import('./ar.js').then(module => module.ar),
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
  },
};
