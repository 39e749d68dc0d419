import { register } from '../../register.js';
import { PaExport } from './export-element.js';

register('pa-export', PaExport);
