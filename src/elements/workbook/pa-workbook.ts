export type * from '../events.js';

import { register } from '../register.js';
import { PaWorkbook } from './workbook-element.js';

register('pa-workbook', PaWorkbook);

export { PaWorkbook };
