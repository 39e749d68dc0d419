import { expect } from '@open-wc/testing';
import type { LitElement } from 'lit';
import { PaChat } from '../../src/elements/chat/chat-element.js';
import { PaDashboard } from '../../src/elements/dashboard/dashboard-element.js';
import { PaReport } from '../../src/elements/report/report-element.js';
import { PaSession } from '../../src/elements/session/session-element.js';

const classes = { PaChat, PaDashboard, PaReport, PaSession };

/** Returns a valid value other than the default. */
const givenValue = (name: string): unknown => {
  if (name === 'service' || name === 'session') return async () => '';
  if (name === 'mode') return 'docked';
  if (['imageOrigins', 'menuItems', 'suggestions'].includes(name)) return [];
  if (/^(lockedF|f)ilters$|^(renderers|rows|snapshot|theme)$/.test(name)) return {};
  if (['open', 'debug', 'restrictDownload'].includes(name)) return true;
  return name === 'headingLevel' ? 4 : `x-${name}`;
};

for (const [label, base] of Object.entries(classes)) {
  const tag = `test-upgrade-${label.toLowerCase()}`;

  describe(`${label} on a server-rendered page`, () => {
    it('reflects no default', async () => {
      customElements.define(`${tag}-plain`, class extends (base as typeof LitElement) {});
      const element = document.createElement(`${tag}-plain`) as LitElement;
      document.body.append(element);
      await element.updateComplete;
      expect(element.getAttributeNames()).to.eql([]);
      element.remove();
    });

    it('keeps properties that were set before definition', async () => {
      const element = document.createElement(tag) as LitElement;
      const names = [...base.elementProperties].filter(([, { state }]) => !state).map(([property]) => String(property));
      const given = Object.fromEntries(names.map(property => [property, givenValue(property)]));
      Object.assign(element, given);
      document.body.append(element);
      customElements.define(tag, class extends (base as typeof LitElement) {});
      await element.updateComplete;
      const upgraded = Object.fromEntries(names.map(property => [property, Reflect.get(element, property)]));
      expect(upgraded).to.eql(given);
      expect(names.filter(property => Object.hasOwn(element, property))).to.eql([]);
      element.remove();
    });
  });
}
