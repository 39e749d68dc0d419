import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/contract/loopback.js';

describe('isLoopback', () => {
  it.each(['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])('accepts %s', host => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '',
    '0.0.0.0',
    '128.0.0.1',
    '127.0.0.1.example',
    'localhost.example',
    'my-localhost',
    '::',
    '[::1',
    '127.0.0',
  ])('rejects “%s”', host => {
    expect(isLoopback(host)).toBe(false);
  });
});
