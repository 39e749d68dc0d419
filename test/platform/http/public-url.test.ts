import { describe, expect, test } from 'vitest';
import { hostsOf, readOrigin, readPublicUrl } from '../../../src/platform/http/public-url.js';

describe('the public URL', () => {
  test.each([
    'https://pa.example',
    'https://pa.example:8443/',
    'http://localhost:4100',
    'http://127.0.0.1:1',
    'http://[::1]:4100',
  ])('can be %s', text => {
    expect(readPublicUrl(text).href).toContain(text);
  });

  test.each([
    'http://pa.example',
    'http://10.0.0.1',
    'http://localhost.example',
    'ftp://localhost',
    'https://pa.example/path',
    'https://user@pa.example',
    'https://pa.example/?x',
    'pa.example',
    '',
  ])('cannot be %j', text => {
    expect(() => readPublicUrl(text)).toThrow(/^The public URL must/);
  });
});

describe('accepted hosts', () => {
  const hosts = (text: string) => [...hostsOf(new URL(text))];

  test('include all loopback names with the port', () => {
    expect(hosts('http://127.0.0.1:4100')).toEqual(['localhost:4100', '127.0.0.1:4100', '[::1]:4100']);
  });

  test('contain the public name with and without a default port', () => {
    expect(hosts('https://pa.example')).toEqual(['pa.example', 'pa.example:443']);
    expect(hosts('https://pa.example:8443')).toEqual(['pa.example:8443']);
  });
});

describe('an allowed origin', () => {
  test('is scheme, host and port', () => {
    expect(readOrigin('https://app.example')).toBe('https://app.example');
    expect(readOrigin('http://localhost:4200/')).toBe('http://localhost:4200');
  });

  test.each([
    '*',
    'null',
    '',
    'https://*.example',
    'app.example',
    'https://app.example/x',
    'https://a.example,https://b.example',
    'file:///x',
  ])('cannot be %j', text => {
    expect(() => readOrigin(text)).toThrow('is not a valid origin');
  });
});
