import { register } from '../../register.js';
import { PaContainer } from './container-element.js';
import { PaWidgetTrouble } from './trouble-element.js';

register('pa-container', PaContainer);
register('pa-widget-trouble', PaWidgetTrouble);
