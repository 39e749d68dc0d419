import { compileModel } from './data-engine.js';

// A separate process that compiles a model like a starting platform, without warm caches, and returns the milliseconds.

/** The model to compile. */
export interface Compile {
  readonly directory: string;
  readonly tables: readonly string[];
}

async function compile(options: Compile): Promise<number> {
  const begin = performance.now();
  await compileModel(options);
  return performance.now() - begin;
}

process.once('message', (options: Compile) => {
  void compile(options).then(ms => process.send?.(ms, () => process.disconnect()));
});
