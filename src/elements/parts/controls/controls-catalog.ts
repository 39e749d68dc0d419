import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controlsMessages } from './controls-messages.js';

/** Message catalog of the controls of a dashboard. */
export const controlsCatalog = defineCatalog(controlsMessages, dashboardTranslations('controls'));
