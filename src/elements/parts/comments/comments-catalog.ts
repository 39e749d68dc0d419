import { defineCatalog, viewerTranslations } from '../../messages/define-catalog.js';
import { commentsMessages } from './comments-messages.js';

/** Message catalog of the comments on a dashboard. */
export const commentsCatalog = defineCatalog(commentsMessages, viewerTranslations('comments'));
