import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

// biome formats and lints; here stand the rules that need types or know Lit.
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'demo/dist/**'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'demo/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  // Chai's assertions are promises only where they are awaited.
  {
    files: ['test/elements/**/*.ts', 'test/**/*.browser-test.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  { files: ['src/elements/**/*.ts'], ...lit.configs['flat/recommended'] },
  { files: ['src/elements/**/*.ts'], ...litA11y.configs.recommended },
  { files: ['src/elements/**/*.ts'], ...wc.configs['flat/best-practice'] },
);
