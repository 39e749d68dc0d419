import { expect } from '@open-wc/testing';
import { register } from '../../src/elements/register.js';

describe('register', () => {
  it('defines a tag and keeps the first definition with one warning', () => {
    class First extends HTMLElement {}
    class Second extends HTMLElement {}
    const warnings: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => warnings.push(text);
    register('test-registered', First);
    expect(warnings).to.eql([]);
    register('test-registered', Second);
    console.warn = warn;
    expect(customElements.get('test-registered')).to.equal(First);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('<test-registered>');
  });
});
