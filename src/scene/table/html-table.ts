import { safeHref } from '../../report/format/safe-href.js';
import type { Table } from '../../report/table/table.js';
import type { SceneContext } from '../scene-context.js';
import { element, type SvgNode } from '../svg-element.js';
import { plainText } from '../text-fitter.js';

/** Writes a table with its headings for HTML. */
export function htmlTable({ direction }: SceneContext, table: Table, rows: readonly number[]): SvgNode {
  const end = direction === 'rtl' ? 'left' : 'right';
  const alignOf = (column: number): string | undefined =>
    table.columns[column]?.align === 'end' ? `text-align:${end}` : undefined;
  const levels = table.heads.map(level =>
    element(
      'tr',
      {},
      level.map(({ title, span }) => element('th', { colspan: span, scope: 'colgroup' }, [plainText(title)])),
    ),
  );
  const headings = table.columns.map(({ title }, index) =>
    element('th', { scope: 'col', style: alignOf(index) }, [plainText(title)]),
  );
  const body = rows.flatMap(index => {
    const line = table.row(index);
    if (!line) return [];
    const cells = line.cells.map(({ text: given, kind, address }, column) => {
      const text = plainText(given);
      const href = table.columns[column]?.settings.display === 'link' ? webAddress(address) : null;
      const content =
        href && kind !== 'total' ? element('a', { href, rel: 'noopener noreferrer nofollow' }, [text]) : text;
      return kind === 'header'
        ? element('th', { scope: 'row' }, [content])
        : element('td', { style: alignOf(column) }, [content]);
    });
    return [element('tr', line.kind === 'total' ? { class: 'total' } : {}, cells)];
  });
  const content = [element('thead', {}, [...levels, element('tr', {}, headings)]), element('tbody', {}, body)];
  return element('div', { class: 'wide' }, [element('table', {}, content)]);
}

/** Returns the address of a link; `null` unless it leads to a web site or a mail program. */
export function webAddress(address: string | null): string | null {
  const href = address === null ? null : safeHref(address);
  return href !== null && /^(?:https?|mailto):/i.test(href) ? href : null;
}
