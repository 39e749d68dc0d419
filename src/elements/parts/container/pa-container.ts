import { register } from '../../register.js';
import { PaContainer } from './container-element.js';
import { PaWidgetError } from './widget-error-element.js';

register('pa-container', PaContainer);
register('pa-widget-error', PaWidgetError);
