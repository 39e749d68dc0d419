/** Saves a file. Fetches no URL, so no content security policy blocks it. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then, and the URL is no longer used.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
