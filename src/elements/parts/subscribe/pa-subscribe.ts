import { register } from '../../register.js';
import { PaSubscribe } from './subscribe-element.js';

register('pa-subscribe', PaSubscribe);
