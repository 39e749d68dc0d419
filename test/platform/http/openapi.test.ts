import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import '../../../src/contract/messages.js';
import { openApiDocument } from '../../../src/platform/http/openapi.js';
import { operations } from '../../../src/platform/http/operations.js';

const document = openApiDocument('https://platform.example');

describe('the OpenAPI document (spec 9, operations.md)', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
  });

  it('has no unresolved references', () => {
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? '');
    expect(refs.length).toBeGreaterThan(20);
    const schemas = Object.keys(Object(document).components.schemas);
    expect(refs.filter(ref => !schemas.includes(ref.replace('#/components/schemas/', '')))).toEqual([]);
  });

  it('describes every operation with a unique id', () => {
    const ids = Object.values(Object(document).paths).flatMap(path =>
      Object.values(Object(path)).map(each => Object(each).operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every path parameter', () => {
    for (const [path, methods] of Object.entries<object>(Object(document).paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(methods)) {
        const parameters: { in: string; name: string; required: boolean }[] = operation.parameters;
        const inPath = parameters.filter(each => each.in === 'path');
        expect(inPath.map(({ name }) => name).sort(), path).toEqual([...named].sort());
        expect(inPath.every(({ required }) => required)).toBe(true);
      }
    }
  });
});
