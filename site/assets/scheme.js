// Runs before the page is painted, so that a stored color scheme does not flash.
try {
  const scheme = localStorage.getItem('scheme');
  if (scheme) document.documentElement.dataset.scheme = scheme;
} catch {
  // Storage is blocked: the page follows the system.
}
