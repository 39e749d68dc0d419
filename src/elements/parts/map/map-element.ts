import { html, nothing, type PropertyValues, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { toProblem } from '../../../controllers/problem.js';
import { abbreviator, createFormatter } from '../../../report/format.js';
import { type Atlas, type AtlasName, loadAtlas } from '../../../report/geo/atlas.js';
import { type MapPlaces, type MapReading, placeRows, readMap } from '../../../report/map.js';
import { frameMap, type MapFrame, pointRadius } from '../../../report/map-layout.js';
import { sameMark } from '../../../report/mark.js';
import { columnTitle } from '../../../report/table.js';
import { MarkedDrawing } from '../marks/marked-drawing.js';
import { legend } from './legend.js';
import { mapStyles } from './map.styles.js';
import { type DrawnPlace, describeMap, drawnPlaces, leftOut } from './map-words.js';
import { mapCatalog } from './messages/catalog.js';

interface DrawnMap {
  readonly reading: MapReading;
  readonly atlas: Atlas;
  readonly found: MapPlaces;
  readonly marks: readonly DrawnPlace[];
  /** Shapes of regions that no row tells of, one path. */
  readonly ground: string;
}

/**
 * A map that fills its tile: states of the USA or countries coloured by a figure, or points. Shapes are loaded when they are needed;
 * colours are the page's.
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
  #wanted: AtlasName | null = null;
  #drawn: DrawnMap | null = null;
  #locale = '';

  protected override get drawnMarks(): readonly DrawnPlace[] {
    return this.#drawn?.marks ?? [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const locale = this.#words.value.locale;
    const isOther = changed.has('snapshot') || changed.has('rowSet');
    if (isOther) this.attempt(() => this.#read());
    if (!isOther && this.#drawn?.atlas === this.atlas && this.#locale === locale) return;
    this.#locale = locale;
    this.attempt(() => this.#place());
  }

  override render(): TemplateResult {
    const drawn = this.#drawn;
    return this.renderBox(
      'map',
      html`${drawn && this.room.width > 0 ? this.#renderMap(drawn) : nothing} ${drawn ? this.#renderNote(drawn) : nothing}`,
    );
  }

  #renderMap(drawn: DrawnMap): TemplateResult {
    const { atlas, found, reading } = drawn;
    const { width, height } = this.room;
    const frame = frameMap(atlas, { width, height }, found.steps !== null);
    const { locale, messages } = this.#words.value;
    const color = reading.color;
    const content = svg`
      <g transform="translate(${frame.left} ${frame.top}) scale(${frame.scale})">
        <path class="ground" d=${drawn.ground}></path>
        ${reading.type === 'regions' ? drawn.marks.map((place, index) => this.#renderRegion(place, index)) : nothing}
        <path class="borders" d=${atlas.borders}></path>
      </g>
      ${reading.type === 'points' ? this.#renderPoints(drawn, frame) : nothing}
      ${
        found.steps && color && frame.legend > 0
          ? legend(
              { steps: found.steps, title: columnTitle(color), print: abbreviator(locale), width },
              height - frame.legend,
            )
          : nothing
      }`;
    return this.renderMarks(content, { summary: describeMap(drawn, messages), kind: found.steps?.kind ?? '' });
  }

  #renderRegion(place: DrawnPlace, index: number): SVGTemplateResult {
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

  /** The largest first, so that none hides a smaller one. */
  #renderPoints({ marks, found }: DrawnMap, frame: MapFrame): SVGTemplateResult[] {
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

  #renderNote({ found, reading }: DrawnMap): TemplateResult | typeof nothing {
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

  #classOf(kind: string, { value, mark }: DrawnPlace): string {
    const step = value === null ? null : this.#drawn?.found.steps?.step(value);
    const faded = this.selected.length > 0 && !this.selected.some(other => sameMark(other, mark));
    return `mark ${kind}${step === null || step === undefined ? '' : ` step-${step}`}${faded ? ' faded' : ''}`;
  }

  /** Reads what is to be drawn, and has its shapes loaded. */
  #read(): void {
    this.#reading = null;
    if (!this.snapshot || !this.rowSet) return;
    this.#reading = readMap(this.snapshot, this.rowSet);
    const { base } = this.#reading;
    if (this.#wanted !== base) void this.#load(base);
  }

  async #load(base: AtlasName): Promise<void> {
    this.#wanted = base;
    try {
      const atlas = await loadAtlas(base);
      if (this.#wanted === base) this.atlas = atlas;
    } catch {
      // The shapes did not load: that is not the author's doing, and a retry may do.
      if (this.#wanted === base) this.onFailed(toProblem(null));
      this.#wanted = null;
    }
  }

  /** Places the rows on the shapes, once both are there. */
  #place(): void {
    const { atlas, rowSet, snapshot } = this;
    const reading = this.#reading;
    this.#drawn = null;
    this.marks.clear();
    if (!reading || !atlas || !rowSet || reading.base !== atlas.name) return;
    const { locale } = this.#words.value;
    const found = placeRows(reading, rowSet, atlas);
    const presentation = { formatter: createFormatter(locale), preferences: snapshot?.preferences };
    const told = new Set(found.places.map(place => place.region));
    this.#drawn = {
      reading,
      atlas,
      found,
      marks: drawnPlaces(reading, found, { atlas, locale, presentation }),
      ground: atlas.regions.map(({ id, path }) => (told.has(id) ? '' : path)).join(''),
    };
    this.expectDrawing();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-map': PaTileMap;
  }
}
