import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { ChartMessages } from './messages.js';

/** Words of charts: English with them, the others in chunks of their own. */
export const chartCatalog: MessageCatalog<ChartMessages> = {
  context: createLocaleContext<ChartMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    ar: () => import('./ar.js').then(module => module.ar),
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
  },
};
