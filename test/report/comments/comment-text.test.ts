import { describe, expect, test } from 'vitest';
import { commentBody, commentParts, editableText, mentionQuery } from '../../../src/report/comments/comment-text.js';

const ann = { label: 'Ann', username: 'ann@acme.example' };
const brackets = { label: 'Bob [x]', username: 'b]o\\b' };

describe('mentions in a comment', () => {
  test('are stored by external id, and only for whole labels', () => {
    expect(commentBody('Hi @Ann, @Anna and @ann', [ann])).toBe('Hi @[ann@acme.example], @Anna and @ann');
    expect(commentBody('@Ann Lee @Ann', [ann, { label: 'Ann Lee', username: 'lee' }])).toBe(
      '@[lee] @[ann@acme.example]',
    );
    expect(commentBody('@Ann', [])).toBe('@Ann');
  });

  test('are read back, also if the external id has brackets or backslashes', () => {
    const body = commentBody('@Bob [x]: see $& and @Ann', [ann, brackets]);
    expect(commentParts(body)).toEqual([
      { type: 'mention', username: 'b]o\\b' },
      { type: 'text', text: ': see $& and ' },
      { type: 'mention', username: 'ann@acme.example' },
    ]);
    expect(editableText(body, () => 'X')).toBe('@X: see $& and @X');
  });

  test('leave all other text unchanged', () => {
    for (const text of ['', '@[', '@[]', '@[a\nb]', '<b>@x</b>', `@[${'a'.repeat(400)}]`, 'a@[b']) {
      expect(
        commentParts(text)
          .map(part => (part.type === 'text' ? part.text : '?'))
          .join(''),
      ).toBe(text);
    }
  });
});

test.each([
  ['@', { start: 0, search: '' }],
  ['Hello @an', { start: 6, search: 'an' }],
  ['(@an', { start: 1, search: 'an' }],
  ['mail@an', null],
  ['@an ', null],
  ['@[an', null],
])('the text %j before the caret searches for %j', (text, expected) => {
  expect(mentionQuery(text, text.length)).toEqual(expected);
});
