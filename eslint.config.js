import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

// Only rules about Lit templates and custom elements. Biome formats and lints; oxlint has the rules that need types (.oxlintrc.json).
const files = ['src/elements/**/*.ts'];

export default tseslint.config(
  { files, languageOptions: { parser: tseslint.parser }, linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files, ...lit.configs['flat/recommended'] },
  { files, ...litA11y.configs.recommended },
  { files, ...wc.configs['flat/best-practice'] },
);
