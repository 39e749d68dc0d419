export type * from '../events.js';

import { register } from '../register.js';
import { PaDashboard } from './dashboard-element.js';

register('pa-dashboard', PaDashboard);

export { PaDashboard };
