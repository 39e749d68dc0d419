/**
 * Prints the page with the element in light colors; resolves when the browser has finished. Render the content of the
 * element before the call.
 */
export async function printPage(host: HTMLElement): Promise<void> {
  const scheme = host.style.getPropertyValue('color-scheme');
  host.style.setProperty('color-scheme', 'light');
  try {
    await chartsUpdated();
    await waitForPrint();
  } finally {
    if (scheme) host.style.setProperty('color-scheme', scheme);
    else host.style.removeProperty('color-scheme');
  }
}

/** Waits until charts have applied new colors, which takes two frames and `settlingMs`. */
async function chartsUpdated(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
  await new Promise(resolve => setTimeout(resolve, settlingMs));
}

/** Time that charts need to apply new colors, in ms. */
const settlingMs = 200;

/**
 * Prints the page and waits until the dialog is closed. Some browsers block in `print()`, others return immediately; in
 * a frame without permission to print, `print()` does nothing.
 */
async function waitForPrint(): Promise<void> {
  let started = false;
  const handleStart = () => {
    started = true;
  };
  const done = new Promise<void>(resolve => addEventListener('afterprint', () => resolve(), { once: true }));
  addEventListener('beforeprint', handleStart, { once: true });
  window.print();
  removeEventListener('beforeprint', handleStart);
  if (started) await done;
}
