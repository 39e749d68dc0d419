import { expect } from '@open-wc/testing';
import { TextView } from '../../../../src/elements/chat/turn/text-view.js';
import { MarkdownView } from '../../../../src/elements/parts/markdown/markdown-view.js';
import { eventually } from '../../eventually.js';

const drawing = { View: MarkdownView, style: { level: 3, imageOrigins: [], labels: null } };

describe('TextView', () => {
  it('resumes an interrupted render of long text', async () => {
    const container = document.createElement('div');
    const text = new TextView(container);
    text.show('a *word* or two\n\n'.repeat(20_000), { isWhole: true, drawing });
    text.dispose();
    expect(container.childNodes.length).to.be.lessThan(20_000);
    text.resume();
    await eventually(() => container.childNodes.length === 20_000);
  });
});
