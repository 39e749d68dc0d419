import { dashboardTranslations, defineCatalog } from './define-catalog.js';
import { pageMessages } from './page-messages.js';

/** Message catalog that the elements of dashboards and reports share. */
export const pageCatalog = defineCatalog(pageMessages, dashboardTranslations('page'));
