import { creatorTranslations, defineCatalog } from '../messages/define-catalog.js';
import { workbookMessages } from './workbook-messages.js';

/** Message catalog of the editor. */
export const workbookCatalog = defineCatalog(workbookMessages, creatorTranslations('workbook'));
