// Runs before the page is painted, so that a page with a stored color scheme does not flash in the default scheme
// first.
try {
  const scheme = localStorage.getItem('scheme');
  if (scheme) document.documentElement.dataset.scheme = scheme;
} catch {
  // If storage is blocked, the page follows the color scheme of the system.
}
