const maxEvents = 5;

/** Returns the demo's configuration with a signed-in viewer; `null` if another server serves the page. */
async function signIn() {
  try {
    const response = await fetch('/api/config');
    if (!response.ok) return null;
    const config = await response.json();
    if (!config.tenant) await fetch('/api/sign-in', { method: 'POST', body: config.tenants[0].id });
    return config;
  } catch {
    // Another server has no configuration; the page says how to start the demo.
    return null;
  }
}

/** Loads the elements that the demo serves. */
async function loadElements() {
  const styles = document.createElement('link');
  styles.rel = 'stylesheet';
  styles.href = '/pa-embed/styles.css';
  document.head.append(styles);
  await import(new URL('/pa-embed/pa-embed.js', location.href).href);
}

/** Replaces the placeholders of an example with the values of the demo. */
function fillIn(content, config) {
  for (const element of content.querySelectorAll('*')) {
    if (element.hasAttribute('base-url')) element.setAttribute('base-url', config.platformUrl);
    for (const name of ['public-id', 'dashboard']) {
      if (element.hasAttribute(name)) element.setAttribute(name, config.dashboards.departures);
    }
  }
}

/** Lists the latest events of an example, with their detail. */
function logEvents(example, names) {
  const log = example.querySelector('.log');
  const list = log.querySelector('ol');
  for (const name of names) {
    example.addEventListener(name, event => {
      const item = document.createElement('li');
      const code = document.createElement('code');
      code.textContent = name;
      item.append(code, event.detail === undefined ? '' : ` ${JSON.stringify(event.detail).slice(0, 160)}`);
      list.prepend(item);
      while (list.children.length > maxEvents) list.lastElementChild.remove();
      log.hidden = false;
    });
  }
}

/** Runs the example of a page on the platform of the demo. */
export async function startExample(example) {
  const config = await signIn();
  if (!config) return;
  const live = example.querySelector('.live');
  const content = example.querySelector('template').content.cloneNode(true);
  fillIn(content, config);
  logEvents(example, example.dataset.events.split(' '));
  live.replaceChildren(content);
  await loadElements();
}
