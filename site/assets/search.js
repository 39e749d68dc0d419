const siteRoot = new URL('../', import.meta.url);
const maxResults = 12;

/**
 * Ranks an entry for the words of a query: All words must occur, and a match in the title counts more. Returns 0 if the
 * entry does not match.
 */
function rank({ t, s, x }, words) {
  const title = t.toLowerCase();
  const text = `${s} ${x}`.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const score =
      (title === word ? 12 : 0) +
      (title.startsWith(word) ? 6 : 0) +
      (title.includes(word) ? 4 : 0) +
      (text.includes(word) ? 1 : 0);
    if (score === 0) return 0;
    sum += score;
  }
  // If two matches are equal, the one with the shorter title ranks higher.
  return sum + 1 / (1 + t.length);
}

function resultItem({ t, s, u, x }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(u, siteRoot).href;
  for (const [name, text] of [
    ['strong', t],
    ['small', s],
    ['span', x],
  ]) {
    const part = document.createElement(name);
    part.textContent = text;
    link.append(part);
  }
  item.append(link);
  return item;
}

/** Connects the search dialog. The index is loaded when the dialog opens for the first time. */
export function startSearch(dialog, opener) {
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('.results');
  const status = dialog.querySelector('.status');
  let index = null;

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    try {
      index ??= fetch(new URL('search.json', siteRoot)).then(response => response.json());
      const entries = await index;
      const found = entries
        .map(entry => ({ entry, score: words.length === 0 ? 0 : rank(entry, words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      list.replaceChildren(...found.slice(0, maxResults).map(({ entry }) => resultItem(entry)));
      status.textContent = words.length === 0 ? '' : `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
    } catch {
      index = null;
      status.textContent = 'Could not load the search index. Check the connection and type again.';
    }
  };

  const open = () => {
    dialog.showModal();
    show();
  };
  const links = () => [...list.querySelectorAll('a')];
  opener.addEventListener('click', open);
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault();
      links()[0]?.click();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops = [input, ...links()];
    const step = event.key === 'ArrowDown' ? 1 : -1;
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  // A link within the current page does not reload it, so the dialog would stay open.
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', event => {
    const isTyping = event.composedPath().some(node => node.matches?.('input, textarea, select, [contenteditable]'));
    if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    open();
  });
}
