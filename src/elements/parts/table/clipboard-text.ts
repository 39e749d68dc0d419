/** Formats rows as tab-separated values for spreadsheets. Quotes values that contain a tab, a line break or a quote. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => row.map(plainCell).join('\t')).join('\r\n');
}

/** Formats rows as an HTML table for applications that paste tables. All contents are escaped as text. */
export function toHtmlTable(rows: readonly (readonly string[])[], headRows: number): string {
  const lines = rows.map((row, index) => {
    const tag = index < headRows ? 'th' : 'td';
    return `<tr>${row.map(text => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${lines.join('')}</table>`;
}

function plainCell(text: string): string {
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
