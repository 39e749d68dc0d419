// Runs before the page is painted, so that the default color scheme does not flash before the stored one.
try {
  const scheme = localStorage.getItem('scheme');
  if (scheme) document.documentElement.dataset.scheme = scheme;
} catch {
  // Storage is blocked: the page follows the system.
}
