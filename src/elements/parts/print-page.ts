/**
 * Prints the page that an element stands on, the element in light colours; resolves when the browser has done with it. What the element
 * shows has to be there by then.
 */
export async function printPage(host: HTMLElement): Promise<void> {
  const scheme = host.style.getPropertyValue('color-scheme');
  host.style.setProperty('color-scheme', 'light');
  try {
    await redrawn();
    await printed();
  } finally {
    if (scheme) host.style.setProperty('color-scheme', scheme);
    else host.style.removeProperty('color-scheme');
  }
}

/** Charts follow other colours a moment later: the page has come to rest after two frames and an idle moment. */
async function redrawn(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
  await new Promise(resolve => setTimeout(resolve, settling));
}

/** Time that charts have for other colours, ms. */
const settling = 200;

/** Some browsers wait in `print()` until their dialog is closed, others come back at once; a frame that may not print does nothing. */
async function printed(): Promise<void> {
  let begun = false;
  const begin = () => {
    begun = true;
  };
  const done = new Promise<void>(resolve => addEventListener('afterprint', () => resolve(), { once: true }));
  addEventListener('beforeprint', begin, { once: true });
  window.print();
  removeEventListener('beforeprint', begin);
  if (begun) await done;
}
