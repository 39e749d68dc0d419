import { expect } from '@open-wc/testing';
import { type RendererInput, registerRenderer } from '../../../../src/elements/parts/custom/renderers.js';
import type { PaTile } from '../../../../src/elements/parts/tile/tile-element.js';
import { eventually } from '../../eventually.js';
import { carrierReport, carriers, labels, markOf, reportPage } from '../tile/tile-page.js';

const customPart = (tile: PaTile): HTMLElement | null =>
  tile.renderRoot.querySelector('pa-tile-custom')?.shadowRoot?.querySelector<HTMLElement>('[part=custom]') ?? null;
const report = (kind: string) => carrierReport(1, { kind, spec: { color: 'red' } });

describe('custom report kind', () => {
  const reportError = globalThis.reportError;

  afterEach(() => {
    globalThis.reportError = reportError;
    document.body.replaceChildren();
  });

  it('calls its registered renderer with everything it needs', async () => {
    const inputs: RendererInput[] = [];
    let disposed = 0;
    registerRenderer('dots', {
      render: (container, input) => {
        inputs.push(input);
        container.textContent = `${input.rows.length} dots`;
        return {
          update: next => {
            inputs.push(next);
            container.textContent = `${next.rows.length} dots again`;
          },
          dispose: () => {
            disposed += 1;
          },
        };
      },
    });
    const { session, element, tile } = await reportPage({ snapshot: report('dots') });
    expect(customPart(tile)?.textContent).to.equal('2 dots');
    const [first] = inputs;
    expect(first?.columns.map(({ member }) => member)).to.deep.equal(['flights.carrier', 'flights.count']);
    expect(first?.spec).to.deep.equal({ color: 'red' });
    expect(first?.locale).to.equal('en');
    expect(first?.size.width).to.be.greaterThan(0);
    expect(first?.theme.text).to.match(/^rgb/);
    element.style.setProperty('--pa-series-1', 'rgb(1, 2, 3)');
    await eventually(() => inputs.at(-1)?.theme.series[0] === 'rgb(1, 2, 3)', 'the page color');
    session.answers = () => ({ ...carriers, rows: carriers.rows.slice(1) });
    await element.refresh();
    await eventually(() => customPart(tile)?.textContent === '1 dots again');
    expect(first?.signal.aborted).to.equal(false);
    element.remove();
    await eventually(() => disposed === 1);
    expect(first?.signal.aborted).to.equal(true);
  });

  it('selects marks like a chart', async () => {
    let input: RendererInput | null = null;
    registerRenderer('pickable', {
      render: (_, given) => {
        input = given;
      },
    });
    const { tile } = await reportPage({ snapshot: report('pickable') });
    (input as RendererInput | null)?.pick(markOf('AA'), tile);
    await eventually(() => labels(tile).includes('Show underlying rows'));
  });

  it('renders a lazy-loaded custom element', async () => {
    class DotsElement extends HTMLElement {
      set input({ rows }: RendererInput) {
        this.textContent = `${rows.length} rows here`;
      }
    }
    registerRenderer('dots-element', {
      element: 'host-dots',
      load: async () => customElements.define('host-dots', DotsElement),
    });
    const { tile } = await reportPage({ snapshot: report('dots-element') });
    expect(customPart(tile)?.querySelector('host-dots')?.textContent).to.equal('2 rows here');
  });

  it('reports a renderer error in its tile without the error message', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = error => void reported.push(error);
    registerRenderer('broken', {
      render: () => {
        throw new Error('row value 42');
      },
    });
    const { tile } = await reportPage({ snapshot: report('broken') });
    await eventually(() => tile.renderRoot.querySelector('[part=notice]'));
    const words = tile.renderRoot.querySelector('[part=notice]')?.textContent ?? '';
    expect(words).to.contain('The renderer of kind "broken" failed.').and.not.contain('42');
    expect(String(reported[0])).to.contain('42');
  });

  it('is unsupported if not registered', async () => {
    const { tile } = await reportPage({ snapshot: report('unheard-of') });
    expect(tile.renderRoot.querySelector('[part=notice]')?.textContent).to.contain('Not supported yet');
  });

  it('cannot override a built-in kind', () => {
    const renderer = { render: () => {} };
    expect(() => registerRenderer('vega', renderer)).to.throw(TypeError);
    registerRenderer('once', renderer);
    expect(() => registerRenderer('once', renderer)).to.throw(TypeError);
    expect(() => registerRenderer('nothing', { element: 'dots' })).to.throw(TypeError);
    expect(() => registerRenderer('', renderer)).to.throw(TypeError);
  });
});
