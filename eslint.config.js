import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

// biome formats and lints, oxlint has the rules that need types; here stand those that know Lit.
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'demo/**', 'test/**'] },
  {
    files: ['src/elements/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  { files: ['src/elements/**/*.ts'], ...lit.configs['flat/recommended'] },
  { files: ['src/elements/**/*.ts'], ...litA11y.configs.recommended },
  { files: ['src/elements/**/*.ts'], ...wc.configs['flat/best-practice'] },
);
