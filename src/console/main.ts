import '../elements/parts/controls/filter-element.js';
import '../elements/report/pa-report.js';
import '../elements/workbook/explore/member-picker-element.js';
import { register } from '../elements/register.js';
import { PaConsoleAudience } from './audience-element.js';
import { PaConsole } from './console-element.js';
import { PaPeopleAuthorize } from './people/authorize-element.js';
import { PaPeopleList } from './people/list-element.js';
import { PaPeople } from './people/people-element.js';
import { PaPeopleSignIn } from './people/sign-in-element.js';
import { PaConsolePlayground } from './playground-element.js';
import { PaConsoleResult } from './result-element.js';

// The pages that the platform serves at `/` and at `/console`.

register('pa-console-audience', PaConsoleAudience);
register('pa-console-result', PaConsoleResult);
register('pa-console-playground', PaConsolePlayground);
register('pa-console', PaConsole);
register('pa-people-authorize', PaPeopleAuthorize);
register('pa-people-list', PaPeopleList);
register('pa-people-sign-in', PaPeopleSignIn);
register('pa-people', PaPeople);
