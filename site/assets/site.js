import { startExample } from './example.js';
import { startSearch } from './search.js';

const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');

const schemeButton = document.querySelector('[data-scheme-button]');
const isDark = () => (root.dataset.scheme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
const showScheme = () => schemeButton.setAttribute('aria-pressed', String(isDark()));
showScheme();
dark.addEventListener('change', showScheme);
schemeButton.addEventListener('click', () => {
  root.dataset.scheme = isDark() ? 'light' : 'dark';
  showScheme();
  try {
    localStorage.setItem('scheme', root.dataset.scheme);
  } catch {
    // If storage is blocked, the choice is lost when the page is left.
  }
});

/** Adds a button that copies a code block. */
function addCopyButton(block) {
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.replaceWith(frame);
  frame.append(block, button);
}
if (navigator.clipboard) document.querySelectorAll('pre.code').forEach(addCopyButton);

/** Marks the section that is being read in the table of contents. */
function followReading(contents) {
  const links = new Map([...contents.querySelectorAll('a')].map(link => [link.hash.slice(1), link]));
  const headings = [...links.keys()].map(id => document.getElementById(id)).filter(Boolean);
  const show = () => {
    const current = headings.findLast(heading => heading.getBoundingClientRect().top < 120) ?? headings[0];
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  document.addEventListener('scroll', show, { passive: true });
  show();
}
const contents = document.querySelector('.contents');
if (contents) followReading(contents);

// Scrolls a long navigation to the current page.
document.querySelector('.side [aria-current="page"]')?.scrollIntoView({ block: 'nearest' });

startSearch(document.querySelector('dialog.search'), document.querySelector('[data-search]'));
document.querySelectorAll('[data-example]').forEach(startExample);
