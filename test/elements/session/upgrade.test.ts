import { expect } from '@open-wc/testing';
import { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { PaSession } from '../../../src/elements/session/session-element.js';
import { eventually } from '../eventually.js';

// A page of markup: the tags stand there before the script that defines them.

const payload = { exp: 4_000_000_000, deploymentId: 1 };
const token = `e30.${btoa(JSON.stringify(payload))}.x`;

const answers: Record<string, object> = {
  '/mint': { sessionId: '0123456789abcdef0123456789abcdef' },
  '/api/v1/embed/session/token': { token },
  '/api/v1/deployments/1': { id: 1, name: 'one', deploymentUrl: location.origin, creationStep: 'ready' },
  '/api/v1/deployments/1/token': { platformApiToken: 'data' },
};

describe('tags that stand in the page before they are defined', () => {
  const asked: string[] = [];
  const realFetch = window.fetch;

  before(() => {
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      const answer = answers[pathname];
      if (pathname.startsWith('/api/v1/embed/dashboard/')) asked.push(pathname);
      return answer ? Response.json(answer) : realFetch(input, init);
    };
  });

  after(() => {
    window.fetch = realFetch;
    document.querySelector('pa-session')?.remove();
  });

  it('find the session around them, though they are defined before it', async () => {
    const session = document.createElement('pa-session');
    session.setAttribute('session-url', '/mint');
    session.setAttribute('base-url', location.origin);
    for (const publicId of ['AAAAAAAAAAAA', 'BBBBBBBBBBBB']) {
      const dashboard = document.createElement('pa-dashboard');
      dashboard.setAttribute('public-id', publicId);
      session.append(dashboard);
    }
    document.body.append(session);
    // In one task, as in a bundle: what is inside is there before what is around it.
    customElements.define('pa-dashboard', PaDashboard);
    customElements.define('pa-session', PaSession);
    await eventually(() => asked.length === 2, 'both dashboards are asked for');
    expect(asked.sort()).to.deep.equal([
      '/api/v1/embed/dashboard/AAAAAAAAAAAA',
      '/api/v1/embed/dashboard/BBBBBBBBBBBB',
    ]);
  });
});
