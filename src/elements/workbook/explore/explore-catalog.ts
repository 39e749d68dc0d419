import { creatorTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { exploreMessages } from './explore-messages.js';

/** Message catalog of the part of the editor in which charts are created. */
export const exploreCatalog = defineCatalog(exploreMessages, creatorTranslations('explore'));
