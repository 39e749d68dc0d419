import { createHash } from 'node:crypto';
import { BoundedCache } from '../../runtime/bounded-cache.js';
import type { ModelSource } from './model-schema.js';

/** Maximum sizes of the caches of parsed files and of hashes of valid cubes, in bytes. */
const [parsedBytes, validBytes] = [16 * 1024 * 1024, 1024 * 1024];
/** Approximate ratio of the size of parsed content to the length of its text. */
const parsedRatio = 6;

/** The content of valid files of all models, by hash of their text. */
class ParsedFiles {
  readonly #sources = new BoundedCache<ModelSource>(parsedBytes);

  /** Returns the content of a text; `undefined` if it is not cached. */
  find(text: string): ModelSource | undefined {
    return this.#sources.find(hashOf(text))?.value;
  }

  /** Stores the content of a text, which must not depend on anything else. */
  set(text: string, source: ModelSource): void {
    this.#sources.set(hashOf(text), source, text.length * parsedRatio);
  }
}

/**
 * Hashes of definitions that the SQL compiler has validated. A hash covers only the definition, not the other parts of
 * its model.
 */
class ValidDefinitions {
  readonly #hashes = new BoundedCache<true>(validBytes);

  has(definition: string): boolean {
    return this.#hashes.find(hashOf(definition)) !== undefined;
  }

  add(definition: string): void {
    this.#hashes.set(hashOf(definition), true, 0);
  }
}

/** Results for parts of models, which later compilations of any model can use if the parts have not changed. */
export class ModelCaches {
  readonly parsed = new ParsedFiles();
  readonly valid = new ValidDefinitions();
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
