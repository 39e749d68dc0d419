/** Saves a file. Fetches no URL, so no content security policy blocks it. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After 10 s, the download has started and no longer uses the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
