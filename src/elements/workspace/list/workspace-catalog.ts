import { creatorTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { workspaceMessages } from './workspace-messages.js';

/** Message catalog of the workspace. */
export const workspaceCatalog = defineCatalog(workspaceMessages, creatorTranslations('workspace'));
