/** Has the browser save a text under a name. The page's policy must allow nothing for it: no address is fetched. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; nothing else needs the address.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
