import { expect } from '@open-wc/testing';
import { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { PaSession } from '../../../src/elements/session/session-element.js';
import { eventually } from '../eventually.js';

// The markup contains the tags before the script that defines them.

const payload = { exp: 4_000_000_000, deploymentId: 1 };
const token = `e30.${btoa(JSON.stringify(payload))}.x`;

const answers: Record<string, object> = {
  '/mint': { sessionId: '0123456789abcdef0123456789abcdef' },
  '/api/v1/embed/session/token': { token },
  '/api/v1/deployments/1': { id: 1, name: 'one', deploymentUrl: location.origin, creationStep: 'ready' },
  '/api/v1/deployments/1/token': { platformApiToken: 'data' },
};

describe('tags in the page before definition', () => {
  const requestedPaths: string[] = [];
  const realFetch = window.fetch;

  before(() => {
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      const answer = answers[pathname];
      if (pathname.startsWith('/api/v1/embed/dashboard/')) requestedPaths.push(pathname);
      return answer ? Response.json(answer) : realFetch(input, init);
    };
  });

  after(() => {
    window.fetch = realFetch;
    document.querySelector('pa-session')?.remove();
  });

  it('find the surrounding session even if they are defined before it', async () => {
    const session = document.createElement('pa-session');
    session.setAttribute('session-url', '/mint');
    session.setAttribute('base-url', location.origin);
    for (const publicId of ['AAAAAAAAAAAA', 'BBBBBBBBBBBB']) {
      const dashboard = document.createElement('pa-dashboard');
      dashboard.setAttribute('public-id', publicId);
      session.append(dashboard);
    }
    document.body.append(session);
    // The elements are defined in one task, as in a bundle. Inner elements upgrade before outer elements.
    customElements.define('pa-dashboard', PaDashboard);
    customElements.define('pa-session', PaSession);
    await eventually(() => requestedPaths.length === 2, 'both dashboards are requested');
    expect(requestedPaths.sort()).to.deep.equal([
      '/api/v1/embed/dashboard/AAAAAAAAAAAA',
      '/api/v1/embed/dashboard/BBBBBBBBBBBB',
    ]);
  });
});
