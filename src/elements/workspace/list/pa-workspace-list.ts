import { register } from '../../register.js';
import { PaWorkspaceList } from './workspace-list-element.js';

register('pa-workspace-list', PaWorkspaceList);
