import { register } from '../../../register.js';
import { PaDateEditor } from './date-editor-element.js';

register('pa-date-editor', PaDateEditor);
