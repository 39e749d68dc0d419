import { css, html, nothing, type PropertyValues, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { toProblem } from '../../../controllers/problem.js';
import { abbreviator, createFormatter } from '../../../report/format/format.js';
import { truncateToWidth } from '../../../report/format/text-width.js';
import { type Atlas, type AtlasName, loadAtlas } from '../../../report/geo/atlas.js';
import {
  type ColorSteps,
  colorSteps,
  frameMap,
  type MapFrame,
  type MapPlaces,
  type MapReading,
  placeRows,
  pointRadius,
  readMap,
} from '../../../report/geo/map.js';
import { isSameMark } from '../../../report/marks/mark.js';
import { columnTitle } from '../../../report/table/table.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { register } from '../../register.js';
import { MarkedDrawing } from '../marks/marked-drawing.js';
import { describeMap, leftOut, type MapMark, mapMarks, mapMessages } from './map-messages.js';

const mapCatalog = defineCatalog(mapMessages, dashboardTranslations('map'));

/** Contents of a legend: the color scale, its title, and the format of its ends. */
interface Legend {
  readonly steps: ColorSteps;
  readonly title: string;
  readonly print: (value: number) => string;
  /** Available width, in px. */
  readonly width: number;
}

const swatchWidth = 32;

/** Renders a stepped color scale, labeled with its ends. */
function legend({ steps, title, print, width }: Legend, top: number): SVGTemplateResult {
  const end = swatchWidth * colorSteps;
  const swatches = Array.from(
    { length: colorSteps },
    (_, step) =>
      svg`<rect class="swatch step-${step}" x=${step * swatchWidth} y="4" width=${swatchWidth} height="8"></rect>`,
  );
  return svg`<g aria-hidden="true" transform="translate(0 ${top})">
    ${steps.from === steps.to ? swatches.slice(-1) : swatches}
    <text x=${steps.from === steps.to ? end - swatchWidth : 0} y="27">${print(steps.from)}</text>
    ${steps.from === steps.to ? '' : svg`<text x=${end} y="27" text-anchor="end">${print(steps.to)}</text>`}
    <text x=${end + 10} y="13">${truncateToWidth(title, width - end - 10)}</text>
  </g>`;
}

/**
 * Styles of a map: shades of the first series color from the minimum to the maximum, and of the second one below zero.
 */
const mapStyles = css`
  .ground,
  .region {
    fill: color-mix(in srgb, var(--_text) 8%, var(--_surface));
  }
  .ground,
  .borders,
  .region {
    stroke: var(--_surface);
    stroke-width: 0.75px;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .borders {
    fill: none;
    pointer-events: none;
  }
  .point {
    fill: var(--_series-1);
    fill-opacity: 0.8;
    /* Outlines points, so that light ones are visible. */
    stroke: var(--_series-1);
    stroke-width: 1px;
  }
  .swatch {
    pointer-events: none;
  }
  .step-0 {
    fill: color-mix(in srgb, var(--_series-1) 22%, var(--_surface));
  }
  .step-1 {
    fill: color-mix(in srgb, var(--_series-1) 41%, var(--_surface));
  }
  .step-2 {
    fill: color-mix(in srgb, var(--_series-1) 60%, var(--_surface));
  }
  .step-3 {
    fill: color-mix(in srgb, var(--_series-1) 80%, var(--_surface));
  }
  .step-4 {
    fill: var(--_series-1);
  }
  .diverging .step-0 {
    fill: var(--_series-2);
  }
  .diverging .step-1 {
    fill: color-mix(in srgb, var(--_series-2) 50%, var(--_surface));
  }
  .diverging .step-2 {
    fill: color-mix(in srgb, var(--_muted) 35%, var(--_surface));
  }
  .diverging .point.step-0,
  .diverging .point.step-1 {
    stroke: var(--_series-2);
  }
  .diverging .step-3 {
    fill: color-mix(in srgb, var(--_series-1) 50%, var(--_surface));
  }
`;

interface RenderedMap {
  readonly reading: MapReading;
  readonly atlas: Atlas;
  readonly found: MapPlaces;
  readonly marks: readonly MapMark[];
  /** Path of all regions without rows. */
  readonly ground: string;
}

/**
 * A map that fills its tile: US states or countries colored by a measure, or points. Shapes are lazy-loaded; colors
 * follow the page.
 *
 * @summary The map of a report, inside a tile.
 * @tagname pa-tile-map
 * @csspart map - The map.
 * @csspart tooltip - The tooltip.
 */
export class PaTileMap extends MarkedDrawing {
  static override styles = [MarkedDrawing.styles, mapStyles];

  readonly #words = new LocaleController(this, mapCatalog, () => this.locale);

  @state() private atlas: Atlas | null = null;

  #reading: MapReading | null = null;
  #requested: AtlasName | null = null;
  #renderedMap: RenderedMap | null = null;
  #locale = '';

  protected override get marksWithTooltips(): readonly MapMark[] {
    return this.#renderedMap?.marks ?? [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const locale = this.#words.value.locale;
    const isOther = changed.has('snapshot') || changed.has('rowSet');
    if (isOther) this.attempt(() => this.#read());
    if (!isOther && this.#renderedMap?.atlas === this.atlas && this.#locale === locale) return;
    this.#locale = locale;
    this.attempt(() => this.#place());
  }

  override render(): TemplateResult {
    const renderedMap = this.#renderedMap;
    return this.renderBox(
      'map',
      html`${renderedMap && this.elementSize.width > 0 ? this.#renderMap(renderedMap) : nothing} ${renderedMap ? this.#renderNote(renderedMap) : nothing}`,
    );
  }

  #renderMap(renderedMap: RenderedMap): TemplateResult {
    const { atlas, found, reading } = renderedMap;
    const { width, height } = this.elementSize;
    const frame = frameMap(atlas, { width, height }, { hasLegend: found.steps !== null });
    const { locale, messages } = this.#words.value;
    const color = reading.color;
    const content = svg`
      <g transform="translate(${frame.left} ${frame.top}) scale(${frame.scale})">
        <path class="ground" d=${renderedMap.ground}></path>
        ${reading.type === 'regions' ? renderedMap.marks.map((place, index) => this.#renderRegion(place, index)) : nothing}
        <path class="borders" d=${atlas.borders}></path>
      </g>
      ${reading.type === 'points' ? this.#renderPoints(renderedMap, frame) : nothing}
      ${
        found.steps && color && frame.legend > 0
          ? legend(
              { steps: found.steps, title: columnTitle(color), print: abbreviator(locale), width },
              height - frame.legend,
            )
          : nothing
      }`;
    return this.renderMarks(content, { summary: describeMap(renderedMap, messages), kind: found.steps?.kind ?? '' });
  }

  #renderRegion(place: MapMark, index: number): SVGTemplateResult {
    return svg`<path
      class=${this.#classOf('region', place)}
      d=${place.path}
      data-mark=${index}
      role="button"
      tabindex=${index === this.marks.active ? 0 : -1}
      aria-label=${place.words}
      aria-pressed=${this.isSelected(place)}
    ></path>`;
  }

  /** Renders large points first, so that they do not hide smaller ones. */
  #renderPoints({ marks, found }: RenderedMap, frame: MapFrame): SVGTemplateResult[] {
    const order = marks.map((place, index) => ({ place, index }));
    order.sort((a, b) => (b.place.size ?? 0) - (a.place.size ?? 0));
    return order.map(
      ({ place, index }) => svg`<circle
        class=${this.#classOf('point', place)}
        cx=${(frame.left + place.at[0] * frame.scale).toFixed(1)}
        cy=${(frame.top + place.at[1] * frame.scale).toFixed(1)}
        r=${pointRadius(place.size, found, frame).toFixed(1)}
        data-mark=${index}
        role="button"
        tabindex=${index === this.marks.active ? 0 : -1}
        aria-label=${place.words}
        aria-pressed=${this.isSelected(place)}
      ></circle>`,
    );
  }

  #renderNote({ found, reading }: RenderedMap): TemplateResult | typeof nothing {
    const { locale, messages } = this.#words.value;
    const { count, sentences } = leftOut(found, locale, messages);
    if (count === 0) return nothing;
    return html`<pa-hint
      class="note ${reading.type}"
      exportparts="mark"
      .label=${messages.notShown(count)}
      .explanation=${sentences}
    ></pa-hint>`;
  }

  #classOf(kind: string, { value, mark }: MapMark): string {
    const step = value === null ? null : this.#renderedMap?.found.steps?.step(value);
    const faded = this.selected.length > 0 && !this.selected.some(other => isSameMark(other, mark));
    return `mark ${kind}${step === null || step === undefined ? '' : ` step-${step}`}${faded ? ' faded' : ''}`;
  }

  /** Reads the rows and loads the shapes they need. */
  #read(): void {
    this.#reading = null;
    if (!this.snapshot || !this.rowSet) return;
    this.#reading = readMap(this.snapshot, this.rowSet);
    const { base } = this.#reading;
    if (this.#requested !== base) void this.#load(base);
  }

  async #load(base: AtlasName): Promise<void> {
    this.#requested = base;
    try {
      const atlas = await loadAtlas(base);
      if (this.#requested === base) this.atlas = atlas;
    } catch {
      // The shapes could not be loaded. This is not a fault of the report, and a retry may succeed.
      if (this.#requested === base) this.onFailed(toProblem(null));
      this.#requested = null;
    }
  }

  /** Places the rows on the shapes when both are available. */
  #place(): void {
    const { atlas, rowSet, snapshot } = this;
    const reading = this.#reading;
    this.#renderedMap = null;
    this.marks.clear();
    if (!reading || !atlas || !rowSet || reading.base !== atlas.name) return;
    const { locale } = this.#words.value;
    const found = placeRows(reading, rowSet, atlas);
    const presentation = { formatter: createFormatter(locale), preferences: snapshot?.preferences };
    const withData = new Set(found.places.map(place => place.region));
    this.#renderedMap = {
      reading,
      atlas,
      found,
      marks: mapMarks(reading, found, { atlas, locale, presentation }),
      ground: atlas.regions.map(({ id, path }) => (withData.has(id) ? '' : path)).join(''),
    };
    this.expectDrawing();
  }
}

register('pa-tile-map', PaTileMap);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-map': PaTileMap;
  }
}
