// The host's own page: it knows its tenants and puts three tags on the page. Everything below the tags is pa-embed's.
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
  scheme.setAttribute('aria-pressed', String(value === 'dark'));
}
showScheme(dark.matches ? 'dark' : 'light');
scheme.addEventListener('click', () => {
  showScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
});

if (config.tenant) {
  const session = document.createElement('pa-session');
  session.setAttribute('session-url', '/api/embed-session');
  session.setAttribute('base-url', config.platformUrl);
  const dashboard = document.createElement('pa-dashboard');
  dashboard.setAttribute('public-id', config.dashboard);
  const aside = document.createElement('aside');
  const report = document.createElement('pa-report');
  report.setAttribute('dashboard', config.dashboard);
  report.setAttribute('report', 'DelayByState');
  aside.append(report);
  session.append(dashboard, aside);
  document.querySelector('#main').replaceChildren(session);
}
