import { fileURLToPath } from 'node:url';

const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/**
 * Node arguments that run `pa-platform`: the built command in a whole test run (`test/run.ts` builds it), otherwise the
 * sources through tsx, which compiles them in every process.
 */
export const cliCommand: readonly string[] =
  process.env.PA_TEST_BUILT === '1'
    ? [path('dist/cli/pa-platform.js')]
    : ['--import', 'tsx', path('src/cli/pa-platform.ts')];
