// The host's own page: it knows its tenants and puts a few tags on the page. Everything below the tags is pa-embed's.
const config = await (await fetch('/api/config')).json();
const select = document.querySelector('#tenant');

function option(value, label) {
  const element = document.createElement('option');
  element.value = value;
  element.textContent = label;
  return element;
}

select.append(option('', 'nobody'), ...config.tenants.map(tenant => option(tenant.id, tenant.name)));
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

/** An element with its attributes. */
function tag(name, attributes) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** The dashboard, a report beside it, and the chat in a panel: all in the session that this host mints. */
function departures() {
  const session = tag('pa-session', { 'session-url': '/api/embed-session', 'base-url': config.platformUrl });
  const aside = document.createElement('aside');
  aside.append(tag('pa-report', { dashboard: config.dashboard, report: 'DelayByState' }));
  session.append(
    tag('pa-dashboard', { 'public-id': config.dashboard }),
    aside,
    tag('pa-chat', { account: 'local', 'agent-id': '1', mode: 'panel' }),
  );
  return session;
}

/** The chat alone, through this host: the page holds no session and no token at all. */
function ask() {
  return tag('pa-chat', { account: 'local', 'agent-id': '1', 'proxy-url': '/api/assistant' });
}

for (const link of document.querySelectorAll('nav a')) {
  if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
}

if (config.tenant) {
  const main = document.querySelector('#main');
  main.classList.toggle('ask', location.pathname === '/ask');
  main.replaceChildren(location.pathname === '/ask' ? ask() : departures());
}
