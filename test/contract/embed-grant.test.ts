import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ExternalId } from '../../src/contract/embed-grant.js';

test('only the letters A to Z of external ids are compared without case', () => {
  // The Kelvin sign, whose lower case is "k".
  expect(z.parse(ExternalId, ' \u212Aate@ACME.example ')).toBe('\u212Aate@acme.example');
  expect(z.parse(ExternalId, 'Kate@ACME.example')).toBe('kate@acme.example');
});
