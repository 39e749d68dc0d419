import { expect } from '@open-wc/testing';
import '../../../src/elements/dashboard/app/app-element.js';
import { eventually } from '../eventually.js';
import { dashboard, FakeSession } from '../fake-session.js';

const frameUrl = 'https://platform.example/api/v1/embed/app-frame';

async function show() {
  const element = document.createElement('pa-app');
  Object.assign(element, { dashboard: dashboard([], []), source: new FakeSession(), label: 'Planner' });
  document.body.append(element);
  const frame = () => element.renderRoot.querySelector('iframe');
  await eventually(frame);
  return { element, frame };
}

const violate = (blockedURI: string, disposition: SecurityPolicyViolationEventDisposition = 'enforce') =>
  document.dispatchEvent(
    new SecurityPolicyViolationEvent('securitypolicyviolation', {
      documentURI: location.href,
      violatedDirective: 'frame-src',
      effectiveDirective: 'frame-src',
      originalPolicy: "frame-src 'none'",
      statusCode: 200,
      blockedURI,
      disposition,
    }),
  );

afterEach(() => document.body.replaceChildren());

describe('pa-app', () => {
  it('shows the frame of the platform, which can only run scripts in an opaque origin', async () => {
    const { frame } = await show();
    expect(frame()?.src).to.equal(frameUrl);
    expect(frame()?.getAttribute('sandbox')).to.equal('allow-scripts');
    expect(frame()?.referrerPolicy).to.equal('no-referrer');
    expect(frame()?.title).to.equal('Planner');
    expect(frame()?.hasAttribute('allow')).to.equal(false);
  });

  it('names the directive that blocks its frame, and starts a new frame on request', async () => {
    const { element, frame } = await show();
    const first = frame();
    violate('https://elsewhere.example/frame');
    violate(frameUrl, 'report');
    await element.updateComplete;
    expect(frame()).to.equal(first);
    violate('https://platform.example');
    await eventually(() => !frame());
    const alert = element.renderRoot.querySelector('[role=alert]');
    expect(alert?.textContent).to.contain(`Add frame-src ${frameUrl} to the content security policy of the page.`);
    await expect(element).to.be.accessible();
    alert?.querySelector('button')?.click();
    await eventually(frame);
    expect(frame()).not.to.equal(first);
  });

  it('removes its frame when the session ends, and reports nothing after it was removed from the page', async () => {
    const { element, frame } = await show();
    element.source = null;
    await eventually(() => !frame());
    element.source = new FakeSession();
    await eventually(frame);
    element.remove();
    violate('https://platform.example');
    await element.updateComplete;
    expect(element.renderRoot.querySelector('[role=alert]')).to.equal(null);
  });
});
