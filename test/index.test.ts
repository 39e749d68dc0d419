import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const entry = new URL('../src/index.ts', import.meta.url).href;
// If a server process has two bundles, it loads the package twice.
const script = `
  const entry = await import(${JSON.stringify(entry)});
  await Promise.all(${JSON.stringify(['session', 'dashboard', 'report', 'chat'])}.map(
    name => import(${JSON.stringify(new URL('../src/elements/', import.meta.url).href)} + name + '/pa-' + name + '.ts?second'),
  ));
  console.log(JSON.stringify({ names: Object.keys(entry).sort(), document: typeof document, window: typeof window }));
`;

it('does nothing when it is imported in Node', async () => {
  const tsx = fileURLToPath(new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--import',
    tsx,
    '--input-type=module',
    '--eval',
    script,
  ]);
  const { names, document, window } = JSON.parse(stdout);
  expect(names).toEqual(expect.arrayContaining(['PaDashboard', 'PaErrorEvent', 'PaReport', 'PaSession']));
  expect([document, window]).toEqual(['undefined', 'undefined']);
  expect(stderr).toBe('');
});
