import { describePage } from './made.js';
import { mailbox } from './mail.js';

// The host's page. It knows the tenants and adds a few elements. pa-embed renders the content of the elements.
const config = await (await fetch('/api/config')).json();
const tenant = config.tenants.find(({ id }) => id === config.tenant) ?? null;

/** Creates an element with attributes and children. */
function tag(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

async function signIn(id) {
  await fetch('/api/sign-in', { method: 'POST', body: id });
  location.reload();
}

/** Describes the rows and the rights of an account. */
function rightsOf({ airport, roles, id }) {
  if (id === 'analyst') return ' sees flights from all three airports and may pin answers of the chat to Departures.';
  return ` sees only flights from ${airport} and ${roles.length ? 'may download rows' : 'may not download rows'}.`;
}

/** Shows who is signed in, and a button for each account. */
function showIdentity() {
  const segments = config.tenants.map(({ id, name, airport }) => {
    const button = tag('button', { type: 'button', 'aria-pressed': String(id === config.tenant) });
    button.append(tag('strong', {}, airport), tag('span', {}, name));
    button.addEventListener('click', () => signIn(id));
    return button;
  });
  document.querySelector('#tenants').replaceChildren(...segments);
  document
    .querySelector('#viewer')
    .replaceChildren(
      ...(tenant
        ? [tag('strong', {}, tenant.user), rightsOf(tenant)]
        : [
            tag('strong', {}, 'Signed out.'),
            ' Without a session, pa-embed shows no rows. Choose an airport to sign in.',
          ]),
    );
  const signOut = document.querySelector('#sign-out');
  signOut.hidden = !tenant;
  signOut.onclick = () => signIn('');
}

const scheme = document.querySelector('#scheme');
function showScheme(value) {
  document.documentElement.dataset.scheme = value;
  scheme.textContent = value === 'dark' ? 'Light' : 'Dark';
}
showScheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
scheme.addEventListener('click', () => {
  showScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
});

/** Binds a select, and keeps its value in the session storage of the tab for all pages. */
function choice(name, apply) {
  const list = document.querySelector(`#${name}`);
  const show = value => {
    list.value = value;
    apply(value);
  };
  show(sessionStorage.getItem(name) ?? '');
  list.addEventListener('change', () => {
    sessionStorage.setItem(name, list.value);
    show(list.value);
  });
}

/** Shows a dashboard and, in a panel, the chat. Both share one session that this host mints. */
function board(name) {
  const session = tag('pa-session', { 'session-url': '/api/embed-session', 'base-url': config.platformUrl });
  session.append(
    tag('pa-dashboard', {
      id: 'board',
      'public-id': config.dashboards[name],
      'url-state': '',
      'export-url': '/api/export',
    }),
  );
  if (name === 'departures') {
    const briefing = document.querySelector('#briefing').content.cloneNode(true);
    briefing.querySelector('pa-report').setAttribute('dashboard', config.dashboards.briefing);
    session.append(briefing);
  }
  session.append(tag('pa-chat', { account: 'local', 'agent-id': '1', mode: 'panel', for: 'board' }));
  session.addEventListener('pa-drill', openDashboard);
  return session;
}

/** Opens a linked dashboard. Only the host knows which page shows it; the filters are passed in the URL. */
function openDashboard(event) {
  const { target } = event.detail;
  if (target.type !== 'dashboard') return;
  event.preventDefault();
  const chosen = Object.entries(target.filters).map(([member, condition]) => [
    `f_${member}`,
    JSON.stringify(condition),
  ]);
  location.assign(`/${target.slug}?${new URLSearchParams(chosen)}`);
}

/** Lets users build dashboards, in a session with creator mode. */
function build() {
  const session = tag('pa-session', { 'session-url': '/api/creator-session', 'base-url': config.platformUrl });
  session.append(tag('pa-workspace', {}));
  return session;
}

/** Shows only the chat. Requests go through this host, so the page has no session and no token. */
function ask() {
  return tag('pa-chat', { account: 'local', 'agent-id': '1', 'proxy-url': '/api/assistant' });
}

for (const link of document.querySelectorAll('nav a')) {
  if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
}

const page = location.pathname.slice(1) || 'departures';
document.title = `Turnaround · ${document.querySelector('nav [aria-current]').textContent}`;
document.body.classList.toggle('ask', page === 'ask');
document.body.classList.toggle('signed-out', !tenant);
showIdentity();
const contents = { ask, build, mail: () => (tenant ? mailbox(tenant) : tag('p', {}, 'Sign in to see your messages.')) };
const content = contents[page]?.() ?? board(page);
describePage(page, content, config.platformUrl);
choice('look', value => {
  document.documentElement.dataset.look = value;
});
// One attribute sets the language and direction of all elements below it.
choice('language', value => {
  if (value) content.setAttribute('locale', value);
  else content.removeAttribute('locale');
});
document.querySelector('#main').replaceChildren(content);
