import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textProblems } from './text-rules.js';

// `npm run check:text`: rejects phrases and names that are not plain English, and suggests replacements.

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', 'src', 'test', 'demo', 'docs', 'site', '*.md', '*.ts', '*.js'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => /\.(?:ts|js|mjs|md)$/.test(path) && existsSync(`${root}${path}`))
  // The rules name the phrases that they reject. Translations are not English.
  .filter(path => !/^test\/text-rules(?:\.test)?\.ts$|^src\/elements\/messages\/[a-z]{2}\//.test(path));

const problems = [...new Set(files)].flatMap(path =>
  textProblems(path, readFileSync(`${root}${path}`, 'utf8')).map(
    ({ line, found, instead }) => `${path}:${line}: "${found}": write ${instead}`,
  ),
);
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? `${files.length} files checked.` : `${problems.length} phrases to replace.`);
process.exitCode = problems.length === 0 ? 0 : 1;
