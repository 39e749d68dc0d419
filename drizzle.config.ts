import { defineConfig } from 'drizzle-kit';

// `npx drizzle-kit generate` writes the next migration after a change of the schema.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/platform/db/schema.ts',
  out: './src/platform/db/migrations',
  casing: 'snake_case',
});
