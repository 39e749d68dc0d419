import { expect } from '@open-wc/testing';
import type { ReportSnapshot } from '../../../../src/contract/dashboards.js';
import '../../../../src/elements/report/pa-report.js';
import type { RowSet } from '../../../../src/contract/row-set.js';
import { eventually } from '../../eventually.js';
import { FakeSession, provide, rowSet } from '../../fake-session.js';
import { carrier, carrierReport, carriers, drilled, labels, openMenu, runItem } from '../tile/tile-page.js';

const { createObjectURL } = URL;
const { click } = HTMLAnchorElement.prototype;
const { fillText } = OffscreenCanvasRenderingContext2D.prototype;

afterEach(() => {
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
  OffscreenCanvasRenderingContext2D.prototype.fillText = fillText;
  document.body.replaceChildren();
});

interface Picture {
  readonly name: string;
  readonly image: ImageData;
  /** The painted strings. */
  readonly texts: readonly string[];
}

/** Downloads the picture of a report from the menu of its tile. */
async function pictureOf(
  fields: Partial<ReportSnapshot>,
  { rows = carriers, locale = 'en', style = '' }: { rows?: RowSet; locale?: string; style?: string } = {},
): Promise<Picture> {
  const session = new FakeSession();
  session.answers = () => rows;
  const element = Object.assign(document.createElement('pa-report'), { snapshot: carrierReport(1, fields), locale });
  element.style.cssText = `display: block; inline-size: 480px; ${style}`;
  const page = provide(session);
  page.append(element);
  document.body.append(page);
  await element.loadAll();
  const tile = element.renderRoot.querySelector('pa-tile');
  if (!tile) throw new Error('no tile');
  const files: { name: string; content: Blob }[] = [];
  const texts: string[] = [];
  let content: Blob | null = null;
  URL.createObjectURL = given => {
    if (given instanceof Blob) content = given;
    return 'blob:none';
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    if (content) files.push({ name: this.download, content });
  };
  OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    texts.push(text.replace(/[\u2066-\u2069]/g, ''));
    fillText.call(this, text, ...at);
  };
  const label = labelsOfPng[locale] ?? 'Download PNG';
  await openMenu(tile);
  await eventually(() => labels(tile).includes(label), 'the menu is in its language');
  runItem(tile, label);
  await eventually(() => files.length === 1, 'the picture is saved');
  const [file] = files;
  const bitmap = await createImageBitmap(file?.content ?? new Blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  canvas?.drawImage(bitmap, 0, 0);
  const image = canvas?.getImageData(0, 0, bitmap.width, bitmap.height) ?? new ImageData(1, 1);
  return { name: file?.name ?? '', image, texts };
}

const labelsOfPng: Readonly<Record<string, string>> = { ar: 'تنزيل PNG' };

/** Returns the share of the pixels in a part of the picture that differ from its corner. */
function ink({ width, height, data }: ImageData, [left, right]: readonly [number, number] = [0, 1]): number {
  let count = 0;
  const corner = data.slice(0, 4);
  const [from, to] = [Math.floor(left * width), Math.floor(right * width)];
  for (let y = 0; y < height; y += 1) {
    for (let x = from; x < to; x += 1) {
      const at = (y * width + x) * 4;
      if (Math.abs((data[at] ?? 0) - (corner[0] ?? 0)) > 40) count += 1;
    }
  }
  return count / ((to - from) * height);
}

const cornerOf = ({ data }: ImageData): number[] => [...data.slice(0, 3)];

describe('the image of a tile', () => {
  it('has the title, the headings and the rows of a table, with twice the resolution of the page', async () => {
    const { name, image, texts } = await pictureOf({});
    expect(name).to.equal('Flights.png');
    expect(image.width).to.equal(960);
    expect(texts).to.include.members(['Flights', 'Carrier', 'AA', '12', '=DL', '7']);
    expect(ink(image)).to.be.within(0.005, 0.2);
    expect(ink(image, [0.8, 1])).to.be.greaterThan(0.001);
  });

  it('has the first 300 rows of a long table, and says how many follow', async () => {
    const rows = rowSet(
      [carrier, drilled],
      Array.from({ length: 1_000 }, (_, index) => ({
        'flights.carrier': `carrier ${index}`,
        'flights.count': String(index),
      })),
    );
    const { image, texts } = await pictureOf({}, { rows });
    expect(texts).to.include.members(['carrier 0', 'carrier 299']);
    expect(texts).not.to.include('carrier 300');
    expect(texts.join(' ')).to.contain('700');
    expect(image.height).to.be.within(300 * 28, 16_000);
  });

  it('has the figure of a KPI, in the colors of the page', async () => {
    const rows = rowSet([drilled], [{ 'flights.count': '1234' }]);
    const light = await pictureOf({ kind: 'kpi' }, { rows });
    expect(light.texts).to.include.members(['Flights', '1,234']);
    expect(ink(light.image)).to.be.greaterThan(0.002);
    expect(cornerOf(light.image)).to.deep.equal([255, 255, 255]);
    document.body.replaceChildren();
    const dark = await pictureOf({ kind: 'kpi' }, { rows, style: 'color-scheme: dark;' });
    expect(Math.max(...cornerOf(dark.image))).to.be.lessThan(60);
    expect(ink(dark.image)).to.be.greaterThan(0.002);
  });

  it('is opaque on a page whose tiles are transparent', async () => {
    const { image } = await pictureOf({}, { style: '--pa-surface: transparent; color-scheme: dark;' });
    expect([...image.data.slice(0, 4)]).to.deep.equal([0x17, 0x1a, 0x21, 255]);
  });

  it('is mirrored in a right-to-left language', async () => {
    const { image, texts } = await pictureOf({}, { locale: 'ar' });
    expect(texts).to.include.members(['Carrier', 'AA', '12']);
    // The names are on the right side.
    expect(ink(image, [0.85, 1])).to.be.greaterThan(ink(image, [0.4, 0.6]));
  });
});
