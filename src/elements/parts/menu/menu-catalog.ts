import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { menuMessages } from './menu-messages.js';

/** Messages of the menus of tiles, and of exports. */
export const menuCatalog = defineCatalog(menuMessages, dashboardTranslations('menu'));
