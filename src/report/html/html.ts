import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { RowSet } from '../../contract/row-set.js';
import { safeHref } from '../format/safe-href.js';
import { cellOf } from '../query/groups.js';
import { DrawingError } from '../table/report-columns.js';
import { columnPrinter, type Presentation } from '../table/table.js';
import { readObject } from '../table/table-look.js';
import { attributeValue, styleDeclarations } from './html-rules.js';
import { parseHtml, type TemplateElement, type TemplateNode } from './html-template.js';

/** What is drawn of HTML: text, or an element with values that were checked. */
export type HtmlNode = string | HtmlElementNode;

/** An element that is drawn. */
export interface HtmlElementNode {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Declarations that are set one by one. */
  readonly style: readonly (readonly [property: string, value: string])[];
  readonly children: readonly HtmlNode[];
}

/** HTML that is filled with the rows of a report. */
export interface FilledHtml {
  readonly nodes: readonly HtmlNode[];
  /** How many rows what is repeated was drawn for; null where nothing is. */
  readonly repeated: number | null;
  /** Some was left out: there was too much of it. */
  readonly isCut: boolean;
}

const maxSourceLength = 300_000;
const maxValueLength = 100_000;
const maxRows = 500;
const limits = { nodes: 20_000, letters: 2_000_000 } as const;

/** Attributes that are read by people; the others take a value as it came. */
const readByPeople = new Set(['alt', 'aria-label', 'title']);

/**
 * The HTML of a report (`HtmlSpec`).
 * @throws DrawingError when there is none, or more than is read.
 */
export function readHtml({ spec }: Pick<ReportSnapshot, 'spec'>): readonly TemplateNode[] {
  const given = readObject(spec).html;
  const source = typeof given === 'string' ? given : typeof spec === 'string' ? spec : null;
  if (source === null) throw new DrawingError('A report in HTML needs its text ("html").');
  if (source.length > maxSourceLength) {
    throw new DrawingError(`HTML of ${source.length} characters is too long: at most ${maxSourceLength} are read.`);
  }
  return parseHtml(source);
}

/**
 * Fills HTML with rows: what stands between two pairs of braces is a column of the first row, and of each row inside of what is
 * repeated. Text takes it formatted, as do attributes that are read by people; other attributes take it as it came, within an address as
 * a part of it, and what comes of that is checked like what was written.
 */
export function fillHtml(template: readonly TemplateNode[], rowSet: RowSet, presentation: Presentation): FilledHtml {
  const filling = new Filling(rowSet, presentation);
  const nodes = filling.all(template, rowSet.rows[0], { repeats: true });
  return { nodes, repeated: filling.repeated, isCut: filling.isCut };
}

interface Place {
  /** Whether elements may be repeated here: not inside of one that is. */
  readonly repeats: boolean;
}

class Filling {
  repeated: number | null = null;
  isCut = false;
  readonly #rows: readonly Row[];
  readonly #printers: ReadonlyMap<string, (value: Cell) => string>;
  #nodes = 0;
  #letters = 0;

  constructor({ columns, rows }: RowSet, presentation: Presentation) {
    this.#rows = rows;
    this.#printers = new Map(columns.map(column => [column.member, columnPrinter(column, presentation)]));
  }

  all(template: readonly TemplateNode[], row: Row | undefined, place: Place): HtmlNode[] {
    return template.flatMap(node => {
      if (typeof node === 'string') return this.#text(node, row);
      if (!node.eachRow || !place.repeats) return this.#element(node, row, place);
      const rows = this.#rows.slice(0, maxRows);
      this.repeated = rows.length;
      return rows.flatMap(each => this.#element(node, each, { repeats: false }));
    });
  }

  #text(text: string, row: Row | undefined): readonly HtmlNode[] {
    const filled = this.#fill(text, row, (value, print) => print(value));
    if (!this.#counts(filled.length)) return [];
    return [filled];
  }

  #element(element: TemplateElement, row: Row | undefined, place: Place): readonly HtmlNode[] {
    const { tag } = element;
    if (!this.#counts(0)) return [];
    const attributes: (readonly [string, string])[] = [];
    let style: HtmlElementNode['style'] = [];
    for (const [name, value] of element.attributes) {
      if (name === 'style') style = styleDeclarations(this.#raw(value, row));
      else {
        const checked =
          tag === 'a' && name === 'href'
            ? this.#address(value, row)
            : attributeValue(tag, name, readByPeople.has(name) ? this.#formatted(value, row) : this.#raw(value, row));
        // Counted like text: an image in every row is as much.
        this.#letters += checked?.length ?? 0;
        if (checked !== null) attributes.push([name, checked]);
      }
    }
    if (tag === 'img' && !attributes.some(([name]) => name === 'src')) {
      // An image that may not be shown leaves its description.
      const alt = attributes.find(([name]) => name === 'alt')?.[1];
      return alt ? [alt] : [];
    }
    return [{ tag, attributes, style, children: this.all(element.children, row, place) }];
  }

  /** An address leads where a link may lead; inside of one a value can't become more than a part of it. */
  #address(text: string, row: Row | undefined): string | null {
    const starts = /^\s*\{\{/.test(text);
    let isFirst = true;
    const filled = this.#fill(text, row, value => {
      const whole = starts && isFirst;
      isFirst = false;
      const part = value === null ? '' : String(value);
      // Half of a pair has no place in an address.
      return whole ? part : encodeURIComponent(part.replace(/\p{Surrogate}/gu, ''));
    });
    const href = filled.length > 2000 ? null : safeHref(filled);
    // A place within the page would be one of the host's, not of the report.
    return href?.startsWith('#') ? null : href;
  }

  #formatted(text: string, row: Row | undefined): string {
    return this.#fill(text, row, (value, print) => print(value));
  }

  #raw(text: string, row: Row | undefined): string {
    return this.#fill(text, row, value => (value === null ? '' : String(value)));
  }

  /** Puts values in the place of names; a name that is no column stays as it stands, so that its author sees it. */
  #fill(text: string, row: Row | undefined, write: (value: Cell, print: (value: Cell) => string) => string): string {
    if (!text.includes('{{')) return text;
    return text.replace(/\{\{([^{}]{1,200})\}\}/g, (written, name: string) => {
      const print = this.#printers.get(name.trim());
      return print ? write(row ? cellOf(row, name.trim()) : null, print).slice(0, maxValueLength) : written;
    });
  }

  /** Counts what is drawn; false where it is too much. */
  #counts(letters: number): boolean {
    this.#nodes++;
    this.#letters += letters;
    const fits = this.#nodes <= limits.nodes && this.#letters <= limits.letters;
    if (!fits) this.isCut = true;
    return fits;
  }
}
