import { describe, expect, test } from 'vitest';
import { type KeyKind, readCursor, writeCursor } from '../../../src/platform/store/cursor.js';

const read = (kind: KeyKind, value: string) => readCursor('list', [kind], writeCursor('list', [value]));

describe('a cursor (spec 4.5)', () => {
  test('gives back the keys of the item that it was made at', () => {
    const at = new Date('2026-02-28T12:34:56.789Z');
    const cursor = writeCursor('list', ['a "name" \u{1f600}', 7, at, 12]);
    expect(readCursor('list', ['text', 'integer', 'moment', 'bigint'], cursor)).toEqual([
      'a "name" \u{1f600}',
      '7',
      at.toISOString(),
      '12',
    ]);
  });

  test('is one of its own list, in its own order, alone', () => {
    const cursor = writeCursor('list', ['7', '8']);
    expect(readCursor('other list', ['bigint', 'bigint'], cursor)).toBeNull();
    expect(readCursor('list', ['bigint'], cursor)).toBeNull();
    for (const text of ['', 'nonsense', '[]', Buffer.from('["list",1,2]').toString('base64url')]) {
      expect(readCursor('list', ['bigint', 'bigint'], text), text).toBeNull();
    }
  });

  test.each<[KeyKind, string]>([
    ['integer', '2147483648'],
    ['integer', '1.5'],
    ['bigint', '1234567890123456'],
    ['bigint', ''],
    ['moment', '2026-02-30T00:00:00.000Z'],
    ['moment', '0000-01-01T00:00:00.000Z'],
    ['moment', '2026-01-01'],
    ['moment', 'now'],
    ['text', 'a\0b'],
    ['text', 'x'.repeat(10_001)],
  ])('holds nothing that the database would not take: %s %s', (kind, value) => {
    expect(read(kind, value)).toBeNull();
  });
});
