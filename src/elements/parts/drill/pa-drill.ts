import { register } from '../../register.js';
import { PaDrill } from './drill-element.js';

register('pa-drill', PaDrill);
