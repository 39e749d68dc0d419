import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: oxlint loads the rules as JavaScript, which has no types.
import local from '../lint-rules.js';

/** Returns the lines of a text that a rule reports. */
function reported(rule: string, text: string): number[] {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { local },
    rules: { [`local/${rule}`]: 'error' },
  } as Linter.Config;
  const messages = new Linter().verify(text, config, 'a.ts');
  return messages.map(({ line, ruleId, message }) => {
    expect(ruleId, message).toBe(`local/${rule}`);
    return line;
  });
}

describe('no-silent-catch', () => {
  it.each([
    'load().catch(() => {});',
    'load().catch(() => undefined);',
    'const value = await load().catch(() => null);',
    'const values = await load().catch(() => []);',
    'load().catch(function () { return false; });',
    'try { load(); } catch {}',
    'class A { readonly a = load().catch(() => -1); }',
    '// The reason of another line.\n\nload().catch(() => {});',
  ])('rejects %s', text => {
    expect(reported('no-silent-catch', text)).toHaveLength(1);
  });

  it.each([
    '// The reason.\nload().catch(() => {});',
    'load().catch(() => {\n  // The reason.\n});',
    '// The reason.\nif (isNeeded) load().catch(() => null);',
    '// The reason.\nconst { value } = { value: load().catch(() => null) };',
    'try { load(); } catch { /* The reason. */ }',
    'load().catch(error => report(error));',
    'load().catch(() => retry());',
    'load().catch(() => { isLost = true; });',
  ])('accepts %s', text => {
    expect(reported('no-silent-catch', text)).toEqual([]);
  });
});

describe('no-boolean-parameter', () => {
  it.each([
    'function f(a: string, b: boolean) {}',
    'function f(a: string, b = false) {}',
    'const f = (a: string, b?: boolean | null) => a;',
    'class A { #f(a: boolean, b: string) {} }',
    'interface A { f: (a: string, b: boolean) => void; g(): void }',
    'interface A { f(a: string, b: boolean): void }',
  ])('rejects %s', text => {
    expect(reported('no-boolean-parameter', text)).toEqual([1]);
  });

  it.each([
    'function f(a: string, { b }: { b: boolean }) {}',
    'function setOpen(isOpen: boolean) {}',
    'function f(a: string, value: string | boolean) {}',
    'class A extends B { override f(a: string, b: boolean) {} }',
    'list.map((a: string, b: boolean) => a);',
  ])('accepts %s', text => {
    expect(reported('no-boolean-parameter', text)).toEqual([]);
  });
});

describe('comment-length', () => {
  const long = 'x '.repeat(70);

  it('rejects long lines of any comment', () => {
    expect(reported('comment-length', `// ${long}`)).toEqual([1]);
    expect(reported('comment-length', `/** ${long} */`)).toEqual([1]);
    expect(reported('comment-length', `/**\n * Short.\n * ${long}\n */`)).toEqual([3]);
  });

  it('accepts URLs and long code', () => {
    expect(reported('comment-length', `// https://example.com/${'x'.repeat(120)}`)).toEqual([]);
    expect(reported('comment-length', `const text = '${long}'; // Short.`)).toEqual([]);
    expect(reported('comment-length', `// ${'x'.repeat(117)}`)).toEqual([]);
  });
});
