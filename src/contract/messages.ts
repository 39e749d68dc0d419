import * as z from 'zod/mini';

// zod/mini returns "Invalid input" for all issues until a locale is set. Only Node code imports this module: pages do
// not need the texts and should not load them.
z.config(z.locales.en());
