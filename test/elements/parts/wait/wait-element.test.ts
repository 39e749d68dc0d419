import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/wait/wait-element.js';
import { elapsedText, type PaTileWait } from '../../../../src/elements/parts/wait/wait-element.js';
import { eventually } from '../../eventually.js';
import { withFrozenClock } from '../../frozen-clock.js';

/** Creates a query that is three seconds old on first render, regardless of the render time. */
function createWait(fields: Partial<PaTileWait> = {}, top = 0): Promise<PaTileWait> {
  return withFrozenClock(async now => {
    const element = Object.assign(document.createElement('pa-tile-wait'), {
      label: 'Departures',
      since: now - 3000,
      ...fields,
    });
    element.style.setProperty('position', 'absolute');
    element.style.setProperty('top', `${top}px`);
    document.body.append(element);
    await element.updateComplete;
    return element;
  });
}

const text = (element: PaTileWait, selector: string): string =>
  element.renderRoot.querySelector(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const seconds = (element: PaTileWait): number => Number.parseInt(text(element, '.time'), 10);
const press = (element: PaTileWait): void => element.renderRoot.querySelector('button')?.click();

describe('slow tile overlay', () => {
  afterEach(() => {
    document.body.replaceChildren();
    scrollTo(0, 0);
  });

  it('counts the seconds and can be canceled', async () => {
    let cancelled = 0;
    const element = await createWait({
      onCancel: () => {
        cancelled += 1;
      },
    });
    expect(text(element, '.wait')).to.equal('Still working… 3s Cancel');
    await eventually(() => seconds(element) >= 5);
    press(element);
    expect(cancelled).to.equal(1);
  });

  it('shows the cancellation and retries', async () => {
    let retried = 0;
    const element = await createWait({
      since: null,
      onRetry: () => {
        retried += 1;
      },
    });
    expect(text(element, '.wait')).to.equal('Canceled Retry');
    press(element);
    expect(retried).to.equal(1);
  });

  it('announces once, not every second', async () => {
    const element = await createWait();
    const region = element.renderRoot.querySelector('[role=status]');
    expect(region?.textContent).to.equal('');
    const announced: (string | null)[] = [];
    const observer = new MutationObserver(() => announced.push(region?.textContent ?? null));
    if (region) observer.observe(region, { childList: true, characterData: true, subtree: true });
    await eventually(() => seconds(element) >= 5);
    element.since = null;
    await eventually(() => announced.length > 1);
    observer.disconnect();
    expect(announced).to.deep.equal(['Departures: Still working…', 'Departures: Canceled']);
  });

  it('stops counting off-screen and updates when it becomes visible', async () => {
    const far = await createWait({}, innerHeight * 3);
    const near = await createWait();
    await eventually(() => seconds(near) >= 5);
    expect(text(far, '.time')).to.equal('3s');
    expect(text(far, '[role=status]')).to.equal('');
    scrollTo(0, innerHeight * 3);
    await eventually(() => seconds(far) >= 5);
  });

  it('resumes after a move and stops after removal', async () => {
    const element = await createWait();
    const other = document.createElement('div');
    document.body.append(other);
    other.append(element);
    await eventually(() => seconds(element) >= 4);
    element.remove();
    // An update that was requested before the removal may still be rendered.
    await element.updateComplete;
    const last = seconds(element);
    const control = await createWait();
    await eventually(() => seconds(control) >= 5);
    expect(seconds(element)).to.equal(last);
  });

  it('is accessible while it waits and after cancellation', async () => {
    const element = await createWait();
    await eventually(() => text(element, '[role=status]') !== '');
    await expect(element).to.be.accessible();
    element.since = null;
    await element.updateComplete;
    await expect(element).to.be.accessible();
  });
});

describe('elapsed time', () => {
  it('is formatted in whole seconds and minutes of the locale', () => {
    expect(elapsedText(3999, 'en')).to.equal('3s');
    expect(elapsedText(125_000, 'en')).to.equal('2m 5s');
    expect(elapsedText(12_000, 'de')).to.equal(
      new Intl.NumberFormat('de', { style: 'unit', unit: 'second', unitDisplay: 'narrow' }).format(12),
    );
  });
});
