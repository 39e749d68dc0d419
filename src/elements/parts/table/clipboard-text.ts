/** Texts as a spreadsheet takes them: tabs between columns; what holds a tab, a line's end or a quote stands in quotes. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => row.map(plainCell).join('\t')).join('\r\n');
}

/** The same as an HTML table, for what keeps tables when it pastes. Everything in it is text. */
export function toHtmlTable(rows: readonly (readonly string[])[], headRows: number): string {
  const lines = rows.map((row, index) => {
    const tag = index < headRows ? 'th' : 'td';
    return `<tr>${row.map(text => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${lines.join('')}</table>`;
}

function plainCell(text: string): string {
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
