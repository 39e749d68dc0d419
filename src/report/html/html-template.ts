import { Parser } from 'htmlparser2';
import { isKnownAttribute, ruleOf } from './html-rules.js';

/** A node of a parsed template: text or an allowed element. Values are checked after columns have been inserted. */
export type TemplateNode = string | TemplateElement;

/** An allowed element. */
export interface TemplateElement {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Whether the element is repeated for each row. */
  readonly eachRow: boolean;
  readonly children: readonly TemplateNode[];
}

const maxDepth = 40;
const maxNodes = 20_000;

/**
 * Parses HTML to a tree of allowed elements. Other elements are dropped, or replaced by their content if it is readable
 * text. The tree is never serialized to HTML, so text cannot become markup.
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
  /** List for the children of the element: its own list, or that of its parent. `null` if they are dropped. */
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
    // The parser closes elements in order. Any other order would be a bug, and is ignored.
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
    // The parser splits text, and a placeholder may span several parts.
    const last = list.at(-1);
    if (typeof last === 'string') list[list.length - 1] = last + text;
    else if (this.#nodes < maxNodes) {
      list.push(text);
      this.#nodes++;
    }
  }
}
