export type * from '../events.js';

import { register } from '../register.js';
import { PaSession } from './session-element.js';

register('pa-session', PaSession);

export { PaSession };
