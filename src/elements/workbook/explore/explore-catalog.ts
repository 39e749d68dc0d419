import { creatorTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { exploreMessages } from './explore-messages.js';

/** Messages of the part of the editor that creates charts. */
export const exploreCatalog = defineCatalog(exploreMessages, creatorTranslations('explore'));
