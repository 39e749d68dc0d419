import { creatorTranslations, defineCatalog } from '../messages/define-catalog.js';
import { creatorMessages } from './creator-messages.js';

/** Message catalog that the workspace, the editor and editable dashboards share. */
export const creatorCatalog = defineCatalog(creatorMessages, creatorTranslations('creator'));
