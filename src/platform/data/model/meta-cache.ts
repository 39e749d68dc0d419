import { LRUCache } from 'lru-cache';
import type { MetaResponse } from '../../../contract/meta.js';
import type { MetaOptions } from '../semantic-model.js';
import type { Access } from './access-control.js';
import { metaOf } from './meta.js';

/** Maximum number of cached sets of visible members. */
const maxCached = 8;

/** Caches the visible part of a model. Callers with the same visible members get the same object. */
export class MetaCache {
  readonly #version: string;
  readonly #cached = new LRUCache<Access['members'], MetaResponse>({ max: maxCached });

  /** @param version - version of the model. */
  constructor(version: string) {
    this.#version = version;
  }

  /** Returns the visible part of the model. Callers share the object and must not change it. */
  of(access: Access, options: MetaOptions = {}): MetaResponse {
    if (options.onlyViews === true) return metaOf(access, this.#version, options);
    const cached = this.#cached.get(access.members) ?? metaOf(access, this.#version);
    this.#cached.set(access.members, cached);
    return cached;
  }
}
