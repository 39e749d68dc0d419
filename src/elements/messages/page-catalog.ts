import { dashboardTranslations, defineCatalog } from './define-catalog.js';
import { pageMessages } from './page-messages.js';

/** Message catalog of what the elements of a dashboard or report share. */
export const pageCatalog = defineCatalog(pageMessages, dashboardTranslations('page'));
