import { expect, fixture, html } from '@open-wc/testing';
import { PaConnectionError } from '../../../../src/client/errors.js';
import { PaTimingEvent } from '../../../../src/controllers/dashboard/dashboard-events.js';
import type { DebugLog } from '../../../../src/controllers/dashboard/debug-controller.js';
import { PaErrorEvent } from '../../../../src/controllers/session/session-events.js';
import type { PaDebug } from '../../../../src/elements/parts/debug/debug-element.js';
import '../../../../src/elements/dashboard/pa-dashboard.js';
import '../../../../src/elements/parts/debug/debug-element.js';
import '../../../../src/elements/report/pa-report.js';
import { findings } from '../../../../src/elements/parts/debug/findings.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';
import { eventually } from '../../eventually.js';
import { FakeSession, provide } from '../../fake-session.js';

const healthy = {
  session: 'ready',
  sessionError: null,
  origin: 'https://host.example',
  violations: [],
  errors: [],
  width: 800,
  areExportsRestricted: false,
};
const error = (code: string, status: number | null = null) => ({
  code,
  message: 'The dashboard could not be had.',
  status,
  requestId: null,
  widgetId: null,
});
const refused = { directive: 'connect-src', policy: "connect-src 'self'", blocked: 'https://platform.example' };

describe('debug findings', () => {
  it('are empty without problems', () => {
    expect(findings(healthy)).to.deep.equal([]);
  });

  it('name what an element without a session needs', () => {
    expect(findings({ ...healthy, session: null })[0]?.advice).to.contain('<pa-session');
    expect(findings({ ...healthy, session: 'undefined-tag' })[0]?.advice).to.contain('pa-embed/pa-session');
    expect(findings({ ...healthy, session: 'unnamed' })[0]?.advice).to.contain('session-url');
  });

  it('name the role that allows exports', () => {
    expect(findings({ ...healthy, areExportsRestricted: true })[0]?.advice).to.contain('roles: ["AIBIViewer"]');
  });

  it('name a viewer who is not signed in', () => {
    const sessionError = error('not_authenticated', 401);
    const advice = findings({ ...healthy, session: 'failed', sessionError }).map(found => found.advice);
    expect(advice[1]).to.contain('grantFor of the back end returned null');
  });

  it('name the blocked directive and the value to add', () => {
    const violations = [{ ...refused, policy: "default-src 'none'; connect-src 'self'" }];
    const [found] = findings({ ...healthy, violations });
    expect(found?.what).to.contain('connect-src');
    expect(found?.advice).to.equal(
      'Add https://platform.example to connect-src in the Content-Security-Policy header.',
    );
  });

  it('name the directive in the policy if a fallback applies', () => {
    const file = { directive: 'script-src-elem', blocked: healthy.origin };
    const findingFor = (policy: string) => findings({ ...healthy, violations: [{ ...file, policy }] })[0];
    expect(findingFor('script-src https://cdn.example')?.advice).to.equal(
      "Add 'self' to script-src in the Content-Security-Policy header.",
    );
    expect(findingFor("SCRIPT-SRC 'none';script-src-elem https://cdn.example")?.what).to.contain('(script-src-elem).');
    const fallback = findingFor("default-src https://cdn.example; img-src 'self'");
    expect(fallback?.what).to.contain('(default-src), which applies because the policy has no script-src.');
    // If a policy has script-src, the values of default-src do not apply to scripts.
    expect(fallback?.advice).to.contain('Add script-src').and.to.contain("the values of default-src and 'self'");
  });

  it('give no other cause for a file that the policy blocked', () => {
    const violations = [{ directive: 'script-src-elem', policy: "script-src 'none'", blocked: healthy.origin }];
    const inline = [{ directive: 'script-src-elem', policy: "script-src 'none'", blocked: 'inline' }];
    for (const code of ['chunk_not_loaded', 'connection_failed']) {
      const errors = [error(code)];
      expect(findings({ ...healthy, errors, violations })[1]?.advice).to.equal(
        'The content security policy blocked it (see above).',
      );
      expect(findings({ ...healthy, errors, violations: inline })[1]?.advice).to.match(/--allow-origin|all files/);
    }
    const withoutMessage = { ...error('chunk_not_loaded'), message: '' };
    expect(findings({ ...healthy, errors: [withoutMessage] })[0]?.what).to.equal(
      'A chunk of the package could not be loaded.',
    );
  });

  it('distinguish a rejected origin from a blocked origin', () => {
    const errors = [error('connection_failed')];
    expect(findings({ ...healthy, errors })[0]?.advice).to.contain('--allow-origin https://host.example');
    const violations = [refused];
    expect(findings({ ...healthy, errors, violations })[1]?.advice).to.not.contain('--allow-origin');
  });

  it('distinguish an unreachable URL from an invalid response', () => {
    const failed = { ...healthy, session: 'failed' };
    expect(findings(failed)[0]?.advice).to.contain('response of session-url');
    const refused = findings({ ...failed, sessionError: error('connection_failed') });
    expect(refused.map(({ advice }) => advice).join())
      .to.contain('--allow-origin')
      .and.not.contain('session-url');
  });

  it('explain a missing dashboard', () => {
    expect(findings({ ...healthy, errors: [error('not_found', 404)] })[0]?.advice).to.contain('shared with the tenant');
  });
});

const debugText = (dashboard: HTMLElement): string =>
  dashboard.shadowRoot?.querySelector('pa-debug')?.shadowRoot?.textContent ?? '';

describe('pa-debug', () => {
  it('lists the errors and timings of its element', async () => {
    const of = await fixture<HTMLElement>(html`<div></div>`);
    const log: DebugLog = {
      violations: [],
      errors: [error('not_found', 404)],
      timings: new Map([['sales', { widgetId: 'sales', report: null, queue: 1, query: 20.4, draw: 3, rows: 12 }]]),
    };
    const debug = await fixture<PaDebug>(html`<pa-debug .of=${of} .log=${log}></pa-debug>`);
    const text = debug.renderRoot.textContent?.replaceAll(/\s+/g, ' ') ?? '';
    expect(text).to.contain('problems found: 2').and.to.contain('could not be had. (404)');
    expect(text).to.contain('sales').and.to.contain('20');
    await expect(debug).to.be.accessible();
  });

  it('shows on a dashboard what prevents it from working, including early errors', async () => {
    const dashboard = await fixture<HTMLElement>(html`<pa-dashboard debug public-id="Sales0000001"></pa-dashboard>`);
    dashboard.dispatchEvent(new PaErrorEvent(error('not_allowed', 403)));
    const found = () => dashboard.shadowRoot?.querySelector('pa-debug')?.shadowRoot?.querySelector('ul');
    await eventually(found);
    expect(found()?.textContent).to.contain('The element has no session').and.to.contain('allowEmbed');
  });

  it('includes errors from before debug was set', async () => {
    const dashboard = await fixture<HTMLElement>(html`<pa-dashboard public-id="Sales0000001"></pa-dashboard>`);
    dashboard.dispatchEvent(new PaErrorEvent(error('not_found', 404)));
    dashboard.toggleAttribute('debug');
    await eventually(() => debugText(dashboard).includes('could not be had. (404)'));
  });

  it('removes errors of tiles that render later', async () => {
    const dashboard = await fixture<HTMLElement>(html`<pa-dashboard debug public-id="Sales0000001"></pa-dashboard>`);
    const failed = error('server_failed', 500);
    dashboard.dispatchEvent(new PaErrorEvent({ ...failed, message: 'The dashboard failed.' }));
    dashboard.dispatchEvent(new PaErrorEvent({ ...failed, message: 'It failed.' }, 'sales'));
    dashboard.dispatchEvent(new PaErrorEvent({ ...failed, message: 'It failed.' }, 'costs'));
    await eventually(() => debugText(dashboard).includes('Tile costs: It failed.'));
    expect(debugText(dashboard)).to.contain('Tile sales: It failed.').and.to.contain('The dashboard failed.');
    dashboard.dispatchEvent(
      new PaTimingEvent({ widgetId: 'sales', report: null, queue: 1, query: 2, draw: 3, rows: 4 }),
    );
    await eventually(() => !debugText(dashboard).includes('Tile sales'));
    expect(debugText(dashboard)).to.contain('Tile costs: It failed.').and.not.contain('The dashboard failed.');
  });

  it('ignores report-only policies', async () => {
    const dashboard = await fixture<HTMLElement>(html`<pa-dashboard debug public-id="Sales0000001"></pa-dashboard>`);
    const violate = (disposition: SecurityPolicyViolationEventDisposition, host: string) =>
      document.dispatchEvent(
        new SecurityPolicyViolationEvent('securitypolicyviolation', {
          blockedURI: `https://${host}/path?secret=1`,
          documentURI: location.href,
          disposition,
          effectiveDirective: 'connect-src',
          originalPolicy: "connect-src 'self'",
          statusCode: 200,
          violatedDirective: 'connect-src',
        }),
      );
    violate('report', 'reported.example');
    violate('enforce', 'blocked.example');
    await eventually(() => debugText(dashboard).includes('https://blocked.example'));
    expect(debugText(dashboard)).to.not.contain('reported.example').and.not.contain('secret=1');
  });

  it('includes errors of the surrounding session', async () => {
    const session = new FakeSession();
    session.status = 'starting';
    const page = await fixture<HTMLElement>(provide(session));
    const dashboard = document.createElement('pa-dashboard');
    Object.assign(dashboard, { debug: true, publicId: 'Sales0000001' });
    page.append(dashboard);
    const text = () => dashboard.shadowRoot?.querySelector('pa-debug')?.shadowRoot?.textContent ?? '';
    await eventually(() => text().includes('session status: starting'));
    session.error = new PaConnectionError('The platform could not be reached.');
    session.setStatus('failed');
    await eventually(() => text().includes('The session has the status "failed".'));
    expect(text()).to.contain('The platform could not be reached.').and.to.contain('--allow-origin');
    const before = session.listeners;
    dashboard.remove();
    await eventually(() => session.listeners === 0, `${before} listeners`);
  });

  it('names a chart field that is not a column', async () => {
    const spec = { mark: 'bar', encoding: { x: { field: 'orders\\.state', type: 'nominal' } } };
    const snapshot = { id: 1, reportId: 1, versionNumber: 1, name: 'Orders', kind: 'vega', spec };
    const rows = rowSetOf([columnOf('orders.status', 'string')], [{ 'orders.status': 'new' }]);
    const report = document.createElement('pa-report');
    Object.assign(report, { snapshot, rows, debug: true });
    const page = await fixture<HTMLElement>(provide(new FakeSession()));
    page.append(report);
    await eventually(() => debugText(report).includes('The field orders.state is not a column'));
    expect(debugText(report)).to.contain('Columns: orders.status.');
  });
});
