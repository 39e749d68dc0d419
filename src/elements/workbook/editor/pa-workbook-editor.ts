import { register } from '../../register.js';
import { PaWorkbookEditor } from './workbook-editor-element.js';

register('pa-workbook-editor', PaWorkbookEditor);
