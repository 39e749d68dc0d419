import { register } from '../../../register.js';
import { PaCalendar } from './calendar-element.js';

register('pa-calendar', PaCalendar);
