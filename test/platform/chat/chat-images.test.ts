import { describe, expect, test } from 'vitest';
import { type ChatImage, maxImageBytes } from '../../../src/contract/chat.js';
import { checkImages } from '../../../src/platform/chat/chat-images.js';

const beginnings = {
  'image/png': '89504e470d0a1a0a',
  'image/jpeg': 'ffd8ffe0',
  'image/gif': Buffer.from('GIF89a').toString('hex'),
  'image/webp': `${Buffer.from('RIFF').toString('hex')}00000000${Buffer.from('WEBP').toString('hex')}`,
} as const;
const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

const image = (mimeType: ChatImage['mimeType'], begins: string, bytes = 100): ChatImage => {
  const data = Buffer.concat([Buffer.from(begins, 'hex'), Buffer.alloc(bytes)]).subarray(0, bytes);
  return { mimeType, data: data.toString('base64') };
};
const refusal = (...images: ChatImage[]): string => {
  try {
    checkImages(images);
    return '';
  } catch (error) {
    expect(error).toMatchObject({ name: 'PlatformError', status: 400 });
    return String(error);
  }
};

describe('images', () => {
  test.each(types)('of type %s are accepted as that type only', mimeType => {
    expect(refusal(image(mimeType, beginnings[mimeType]))).toBe('');
    for (const other of types.filter(type => type !== mimeType)) {
      expect(refusal(image(other, beginnings[mimeType]))).toContain(`body.images.0.data: is not of type ${other}`);
    }
  });

  test('that end before their type can be detected are rejected', () => {
    for (const bytes of [1, 2, 11])
      expect(refusal(image('image/webp', beginnings['image/webp'], bytes))).toContain('type');
  });

  test('are limited to 2 MB each', () => {
    const largest = image('image/png', beginnings['image/png'], maxImageBytes);
    expect(refusal(largest, largest)).toBe('');
    expect(refusal(largest, image('image/png', beginnings['image/png'], maxImageBytes + 1))).toContain(
      'body.images.1.data: exceeds the image limit of 2 MB',
    );
  });

  test('must be complete base64', () => {
    expect(refusal({ mimeType: 'image/jpeg', data: '/9j/4A' })).toContain('must be padded base64');
  });
});
