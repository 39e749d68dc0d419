import { register } from '../../register.js';
import { PaActionMenu } from './action-menu-element.js';

register('pa-action-menu', PaActionMenu);
