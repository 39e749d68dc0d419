import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { RowSet } from '../../contract/row-set.js';
import { safeHref } from '../format/safe-href.js';
import { cellOf } from '../query/groups.js';
import { DrawingError } from '../table/report-columns.js';
import { columnPrinter, type Presentation } from '../table/table.js';
import { readObject } from '../table/table-settings.js';
import { attributeValue, styleDeclarations } from './html-rules.js';
import { parseHtml, type TemplateElement, type TemplateNode } from './html-template.js';

/** A rendered node: text, or an element with checked values. */
export type HtmlNode = string | HtmlElementNode;

/** A rendered element. */
export interface HtmlElementNode {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Style declarations, which are set individually. */
  readonly style: readonly (readonly [property: string, value: string])[];
  readonly children: readonly HtmlNode[];
}

/** HTML with the values of a report's rows. */
export interface FilledHtml {
  readonly nodes: readonly HtmlNode[];
  /** Number of rows for which repeated elements were rendered; `null` if no element is repeated. */
  readonly repeated: number | null;
  /** True if nodes were omitted because a limit was exceeded. */
  readonly isCut: boolean;
}

/** Like `maxHtmlLength` of `contract/report-spec.ts`, which is checked only at publishing. */
const maxSourceLength = 300_000;
const maxValueLength = 100_000;
const maxRows = 500;
const limits = { nodes: 20_000, letters: 2_000_000 } as const;

/** Attributes with text for readers, which contain formatted values; other attributes contain raw values. */
const readByPeople = new Set(['alt', 'aria-label', 'title']);

/**
 * Parses the HTML of a report (`HtmlSpec`).
 * @throws DrawingError if there is no HTML or it is too long.
 */
export function readHtml({ spec }: Pick<ReportSnapshot, 'spec'>): readonly TemplateNode[] {
  const source = [readObject(spec).html, spec].find(given => typeof given === 'string');
  if (source === undefined) throw new DrawingError('An HTML report requires its HTML as text ("html").');
  if (source.length > maxSourceLength) {
    throw new DrawingError(`The HTML has ${source.length} characters: the maximum is ${maxSourceLength}.`);
  }
  return parseHtml(source);
}

/**
 * Inserts row values into HTML. A name in double braces is a column of the first row, or of the current row within a
 * repeated element. Text and attributes with text for readers contain formatted values. Other attributes contain raw
 * values, which are encoded within a URL; the result is then checked like authored HTML.
 */
export function fillHtml(template: readonly TemplateNode[], rowSet: RowSet, presentation: Presentation): FilledHtml {
  const filling = new Filling(rowSet, presentation);
  const nodes = filling.all(template, rowSet.rows[0], { repeats: true });
  return { nodes, repeated: filling.repeated, isCut: filling.isCut };
}

interface Place {
  /** Whether elements may be repeated. False within a repeated element. */
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
            : attributeValue(tag, name, readByPeople.has(name) ? this.#formatText(value, row) : this.#raw(value, row));
        // Attribute values count like text, because an image in every row is as large.
        this.#letters += checked?.length ?? 0;
        if (checked !== null) attributes.push([name, checked]);
      }
    }
    if (tag === 'img' && !attributes.some(([name]) => name === 'src')) {
      // An image that is not allowed is replaced by its alternative text.
      const alt = attributes.find(([name]) => name === 'alt')?.[1];
      return alt ? [alt] : [];
    }
    return [{ tag, attributes, style, children: this.all(element.children, row, place) }];
  }

  /** Inserts values into a link and checks it. Values are URL-encoded, except a value with which the link starts. */
  #address(text: string, row: Row | undefined): string | null {
    const starts = /^\s*\{\{/.test(text);
    let isFirst = true;
    const filled = this.#fill(text, row, value => {
      const whole = starts && isFirst;
      isFirst = false;
      const part = value === null ? '' : String(value);
      // Lone surrogates cannot be URL-encoded.
      return whole ? part : encodeURIComponent(part.replace(/\p{Surrogate}/gu, ''));
    });
    const href = filled.length > 2000 ? null : safeHref(filled);
    // A fragment would refer to the host page, not to the report.
    return href?.startsWith('#') ? null : href;
  }

  #formatText(text: string, row: Row | undefined): string {
    return this.#fill(text, row, (value, print) => print(value));
  }

  #raw(text: string, row: Row | undefined): string {
    return this.#fill(text, row, value => (value === null ? '' : String(value)));
  }

  /**
   * Replaces placeholders with values. A placeholder that is not a column is not replaced, so that the author notices
   * it.
   */
  #fill(text: string, row: Row | undefined, write: (value: Cell, print: (value: Cell) => string) => string): string {
    if (!text.includes('{{')) return text;
    return text.replace(/\{\{([^{}]{1,200})\}\}/g, (written, name: string) => {
      const print = this.#printers.get(name.trim());
      return print ? write(row ? cellOf(row, name.trim()) : null, print).slice(0, maxValueLength) : written;
    });
  }

  /** Counts a rendered node; returns false if a limit is exceeded. */
  #counts(letters: number): boolean {
    this.#nodes++;
    this.#letters += letters;
    const fits = this.#nodes <= limits.nodes && this.#letters <= limits.letters;
    if (!fits) this.isCut = true;
    return fits;
  }
}
