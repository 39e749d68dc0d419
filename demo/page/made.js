// Contents of "How this page is made": the tags of a page, and the files that define it.

const host = [
  ['page/page.js', 'adds the tags to the page'],
  ['page/page.css', 'styles of the host, and a theme for the elements'],
  ['host/tenants.js', 'who sees which rows'],
];
const session = ['host/server.js', 'mints the session; the key stays on the server'];
const model = [
  ['model/flights.yml', 'measures, dimensions and row-level security'],
  ['model/departures.yml', 'the view that callers see'],
];
const report = ['content/reports/WeekdayHour1.yml', 'one of its reports'];

/** The files of each page, below `demo/`. */
const files = {
  departures: [
    session,
    ['content/workbooks/departures.yml', 'layout of the dashboard'],
    ['pinned-answer.js', 'pins an answer of the chat'],
    ['content/workbooks/briefing.yml', 'the report in the text'],
    report,
    ...model,
    ...host,
  ],
  network: [
    session,
    ['content/workbooks/network.yml', 'layout: tabs, stacks and a grid'],
    ['content/reports/NetStates001.yml', 'the map'],
    ['content/reports/NetDelayFlow.yml', 'a flow diagram'],
    ['model/airports.yml', 'airports, with links from their cells'],
    ...model,
    ...host,
  ],
  analysis: [
    session,
    ['content/workbooks/analysis.yml', 'layout, controls and cross-filters'],
    ['content/reports/AnaPivot0001.yml', 'the pivot table'],
    ['content/reports/AnaTable0001.yml', 'the table with bars and sparklines'],
    ...model,
    ...host,
  ],
  build: [['host/server.js', 'mints the session with creator mode'], ...model, ...host],
  mail: [
    ['mail-server.js', 'keeps the messages'],
    ['notification.js', 'schedules the daily report'],
    ['host/mail.js', 'lists messages, and sends the report now'],
    ['page/mail.js', 'shows messages'],
    ['host/server.js', 'allows subscriptions in the session'],
    ...host,
  ],
  ask: [
    ['host/server.js', 'forwards the chat; the page has no token'],
    ['model/departures.yml', 'suggested questions'],
    ['model/flights.yml', 'measures, dimensions and row-level security'],
    ...host,
  ],
};

/** The documentation page for each page of the demo, served by the platform. */
const documentation = {
  departures: 'dashboards',
  network: 'dashboards',
  analysis: 'dashboards',
  build: 'building',
  ask: 'chat',
  mail: 'notifications',
};

/** Returns the pa-embed tags of an element and its descendants as text, one per line. */
function markup(element, indent = '') {
  const children = [...element.children];
  if (!element.localName.startsWith('pa-')) return children.flatMap(child => markup(child, indent));
  const attributes = [...element.attributes].map(({ name, value }) => (value ? ` ${name}="${value}"` : ` ${name}`));
  const open = `${indent}<${element.localName}${attributes.join('')}>`;
  const close = `</${element.localName}>`;
  if (children.length === 0) return [open + close];
  return [open, ...children.flatMap(child => markup(child, `${indent}  `)), indent + close];
}

function link(href, text) {
  const element = document.createElement('a');
  element.href = href;
  element.textContent = text;
  return element;
}

/** Describes a page. `content` must not be in the document yet: rendered elements add attributes. */
export function describePage(name, content, platformUrl) {
  document.querySelector('#markup').textContent = markup(content).join('\n');
  document.querySelector('#files').replaceChildren(
    ...files[name].map(([path, role]) => {
      const item = document.createElement('li');
      item.append(link(`/source/${path}`, `demo/${path}`), ` ${role}`);
      return item;
    }),
  );
  const docs = `docs/${documentation[name]}.md`;
  document
    .querySelector('#more')
    .replaceChildren(
      'Read ',
      link(`${platformUrl}/console/${docs}`, docs),
      ' or query the model in the ',
      link(platformUrl, 'playground'),
      '.',
    );
}
