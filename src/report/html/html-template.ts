import { Parser } from 'htmlparser2';
import { isKnownAttribute, ruleOf } from './html-rules.js';

/** HTML as it was written, of what may be drawn: no value is checked yet, since columns may stand in it. Text is a node of its own. */
export type TemplateNode = string | TemplateElement;

/** An element that may be drawn. */
export interface TemplateElement {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Repeated for every row. */
  readonly eachRow: boolean;
  readonly children: readonly TemplateNode[];
}

const maxDepth = 40;
const maxNodes = 20_000;

/**
 * Reads HTML into a tree of elements from the list of what may be drawn. Others are left out, with what they hold where that is no text
 * to read. Nothing is ever written as HTML again, so that no text can become markup by being read twice.
 */
export function parseHtml(source: string): readonly TemplateNode[] {
  const tree = new TreeBuilder();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => tree.open(name, attributes),
      onclosetag: name => tree.close(name),
      ontext: text => tree.text(text),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeSelfClosing: false },
  );
  parser.end(source);
  return tree.roots;
}

interface Open {
  readonly name: string;
  /** Where its children go: its own list, or that of what holds it. Null where they go nowhere. */
  readonly children: TemplateNode[] | null;
}

class TreeBuilder {
  readonly roots: TemplateNode[] = [];
  readonly #open: Open[] = [];
  #nodes = 0;
  #depth = 0;

  open(name: string, given: Readonly<Record<string, string>>): void {
    const rule = ruleOf(name);
    const holder = this.#open.at(-1)?.children;
    const list = holder === undefined ? this.roots : holder;
    if (rule === 'drop' || list === null) {
      this.#open.push({ name, children: null });
    } else if (rule === 'unwrap' || this.#depth >= maxDepth || this.#nodes >= maxNodes) {
      this.#open.push({ name, children: list });
    } else {
      const children: TemplateNode[] = [];
      const { tag } = rule;
      const attributes = Object.entries(given).filter(([attribute]) => isKnownAttribute(tag, attribute));
      list.push({ tag, attributes, eachRow: Object.hasOwn(given, 'data-each-row'), children });
      this.#nodes++;
      this.#depth++;
      this.#open.push({ name, children });
    }
  }

  close(name: string): void {
    // The parser closes what it opened, in order; anything else would be a mistake of ours, and closes nothing.
    const last = this.#open.at(-1);
    if (last?.name !== name) return;
    this.#open.pop();
    const outer = this.#open.length === 0 ? this.roots : (this.#open.at(-1)?.children ?? null);
    if (last.children !== null && last.children !== outer) this.#depth--;
  }

  text(text: string): void {
    const holder = this.#open.at(-1)?.children;
    const list = holder === undefined ? this.roots : holder;
    if (list === null) return;
    // Text comes in pieces, and a column may stand across them.
    const last = list.at(-1);
    if (typeof last === 'string') list[list.length - 1] = last + text;
    else if (this.#nodes < maxNodes) {
      list.push(text);
      this.#nodes++;
    }
  }
}
