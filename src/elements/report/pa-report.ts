export type * from '../events.js';

import { register } from '../register.js';
import { PaReport } from './report-element.js';

register('pa-report', PaReport);

export { PaReport };
