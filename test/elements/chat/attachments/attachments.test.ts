import { expect, fixture, html } from '@open-wc/testing';
import type { ChatImage } from '../../../../src/contract/chat.js';
import type { PaChatAttachments } from '../../../../src/elements/chat/attachments/attachments-element.js';
import '../../../../src/elements/chat/attachments/attachments-element.js';
import { readImages } from '../../../../src/elements/chat/attachments/read-images.js';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const file = (name: string, type: string, size = 4): File => new File([new Uint8Array(size)], name, { type });

describe('message images', () => {
  it('reads images as base64 and rejects wrong types, sizes and counts', async () => {
    const { images, refused } = await readImages(
      [
        file('a.png', 'image/png'),
        file('b.svg', 'image/svg+xml'),
        file('c.jpg', 'image/jpeg', 3_000_000),
        file('d.webp', 'image/webp'),
        file('e.gif', 'image/gif'),
      ],
      2,
    );
    expect(images).to.deep.equal([
      { mimeType: 'image/png', data: 'AAAAAA==', name: 'a.png' },
      { mimeType: 'image/webp', data: 'AAAAAA==', name: 'd.webp' },
    ]);
    expect(refused.map(({ name, reason }) => `${name} ${reason}`)).to.deep.equal([
      'b.svg type',
      'c.jpg size',
      'e.gif count',
    ]);
  });

  it('previews images before sending and lets the user remove them', async () => {
    const images: ChatImage[] = ['one', 'two'].map(name => ({ mimeType: 'image/png', data: pixel, name }));
    let left: readonly ChatImage[] = images;
    const element = await fixture<PaChatAttachments>(
      html`<pa-chat-attachments .images=${images} .locale=${'en'} .onChange=${(next: readonly ChatImage[]) => {
        left = next;
      }}></pa-chat-attachments>`,
    );
    const image = element.renderRoot.querySelector('img');
    await image?.decode();
    expect(image?.src.startsWith('data:image/png')).to.equal(true);
    await expect(element).to.be.accessible();
    element.renderRoot.querySelector<HTMLButtonElement>('button[aria-label="Remove one"]')?.click();
    expect(left.map(({ name }) => name)).to.deep.equal(['two']);
  });

  it('shows sent images as read-only', async () => {
    const images: ChatImage[] = [{ mimeType: 'image/png', data: pixel }];
    const element = await fixture<PaChatAttachments>(
      html`<pa-chat-attachments .images=${images} .locale=${'en'}></pa-chat-attachments>`,
    );
    expect(element.renderRoot.querySelector('img')?.alt).to.equal('Image 1');
    expect(element.renderRoot.querySelector('button')).to.equal(null);
  });
});
