import * as z from 'zod/mini';

// zod/mini answers "Invalid input" to everything until a locale is set. Only Node rooms import this module:
// the page has no use for the texts and would pay for them.
z.config(z.locales.en());
