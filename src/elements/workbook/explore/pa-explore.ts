import { register } from '../../register.js';
import { PaExplore } from './explore-element.js';

register('pa-explore', PaExplore);
