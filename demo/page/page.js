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

/** A choice that stays for as long as the tab does, over all pages. */
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

/** An element with its attributes. */
function tag(name, attributes) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A dashboard, on the first page a report beside it, and the chat in a panel: all in the session that this host mints. */
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

/** Where the model links to another dashboard, only the host knows its page. The filters reach it by its address. */
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

/** The chat alone, through this host: the page holds no session and no token at all. */
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
  // One attribute gives everything below its language, and its direction.
  choice('language', value => {
    if (value) content.setAttribute('locale', value);
    else content.removeAttribute('locale');
  });
  main.replaceChildren(content);
}
