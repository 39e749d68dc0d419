import { compileModel } from './data-engine.js';

// A process of its own: compiles a model as a platform does that starts, before anything is warm, and tells the milliseconds.

/** What is compiled. */
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
