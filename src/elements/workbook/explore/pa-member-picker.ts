import { register } from '../../register.js';
import { PaMemberPicker } from './member-picker-element.js';

register('pa-member-picker', PaMemberPicker);
