// The host's page: knows its tenants and adds a few elements. pa-embed renders the content of the elements.
const config = await (await fetch('/api/config')).json();
const select = document.querySelector('#tenant');

function option(value, label) {
  const element = document.createElement('option');
  element.value = value;
  element.textContent = label;
  return element;
}

select.append(option('', 'not signed in'), ...config.tenants.map(tenant => option(tenant.id, tenant.name)));
select.value = config.tenant ?? '';
select.addEventListener('change', async () => {
  await fetch('/api/sign-in', { method: 'POST', body: select.value });
  location.reload();
});

const scheme = document.querySelector('#scheme');
const dark = matchMedia('(prefers-color-scheme: dark)');
function showScheme(value) {
  document.documentElement.dataset.scheme = value;
  scheme.textContent = value === 'dark' ? 'Light' : 'Dark';
}
showScheme(dark.matches ? 'dark' : 'light');
scheme.addEventListener('click', () => {
  showScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
});

/** Binds a select whose value is stored for the session of the tab, across all pages. */
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

choice('look', value => {
  document.documentElement.dataset.look = value;
});

/** Creates an element with attributes. */
function tag(name, attributes) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Shows a dashboard, a report on the first page, and the chat in a panel, in one session that this host mints. */
function board(name) {
  const session = tag('pa-session', { 'session-url': '/api/embed-session', 'base-url': config.platformUrl });
  const publicId = config.dashboards[name];
  session.append(tag('pa-dashboard', { 'public-id': publicId, 'url-state': '' }));
  if (name === 'departures') {
    const aside = document.createElement('aside');
    aside.append(tag('pa-report', { dashboard: publicId, report: 'DelayByState' }));
    session.append(aside);
  }
  session.append(tag('pa-chat', { account: 'local', 'agent-id': '1', mode: 'panel' }));
  session.addEventListener('pa-drill', openDashboard);
  return session;
}

/** Opens a linked dashboard. Only the host knows its page; the filters are passed in the URL. */
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

/** Shows only the chat, through this host: the page has no session and no token. */
function ask() {
  return tag('pa-chat', { account: 'local', 'agent-id': '1', 'proxy-url': '/api/assistant' });
}

for (const link of document.querySelectorAll('nav a')) {
  if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
}

const page = location.pathname.slice(1) || 'departures';
document.title = `Turnaround · ${document.querySelector('nav [aria-current]').textContent}`;

if (config.tenant) {
  const main = document.querySelector('#main');
  main.classList.toggle('ask', page === 'ask');
  const content = page === 'ask' ? ask() : board(page);
  // One attribute sets the language and direction of all elements below it.
  choice('language', value => {
    if (value) content.setAttribute('locale', value);
    else content.removeAttribute('locale');
  });
  main.replaceChildren(content);
}
