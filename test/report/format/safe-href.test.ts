import { describe, expect, it } from 'vitest';
import { safeHref } from '../../../src/report/format/safe-href.js';

describe('safeHref', () => {
  it.each(['http://x.test', 'https://x.test/a:b', 'mailto:a@x.test', '/orders?a=b:c', '#top', 'a/b', '?q=1'])(
    'allows %s',
    href => {
      expect(safeHref(href)).toBe(href);
    },
  );

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x.test/1',
    'file:///etc/passwd',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '',
  ])('rejects %j', href => {
    expect(safeHref(href)).toBeNull();
  });
});
