export type * from '../events.js';

import { register } from '../register.js';
import { PaWorkspace } from './workspace-element.js';

register('pa-workspace', PaWorkspace);

export { PaWorkspace };
