import { createLocaleContext, type MessageCatalog } from '../../../../controllers/locale-controller.js';
import { en } from './en.js';
import type { ControlMessages } from './messages.js';

/** Words of the controls: English with them, the others in chunks of their own. */
export const controlCatalog: MessageCatalog<ControlMessages> = {
  context: createLocaleContext<ControlMessages>(),
  fallback: { locale: 'en', messages: en },
  load: {
    de: () => import('./de.js').then(module => module.de),
    es: () => import('./es.js').then(module => module.es),
    fr: () => import('./fr.js').then(module => module.fr),
    ja: () => import('./ja.js').then(module => module.ja),
    ar: () => import('./ar.js').then(module => module.ar),
  },
};
