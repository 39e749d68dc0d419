// The mail page, which shows the messages that the demo's mail server has received for the signed-in user. Subject and
// body are shown as plain text, and images by their URL. No part of a message is interpreted as HTML.

const refreshMs = 3_000;

function tag(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Returns the content of the mail page. */
export function mailbox(tenant) {
  const send = tag('button', { type: 'button' }, 'Send test now');
  const status = tag('p', { role: 'status' });
  const list = tag('div', { class: 'messages' });
  const intro = tag(
    'p',
    {},
    'This page lists the messages that the platform has mailed to ',
    tag('strong', {}, tenant.user),
    '. The demo’s mail server keeps them and delivers nothing. The button mails the daily report to all tenants: each ' +
      'receives its own rows. “Subscribe” on a dashboard mails it with your filters.',
  );
  const show = async () => {
    const response = await fetch('/api/mail');
    const messages = response.ok ? await response.json() : [];
    if (list.childElementCount === messages.length && messages.length > 0) return;
    list.replaceChildren(
      ...(messages.length > 0 ? messages.map(message) : [tag('p', { class: 'muted' }, 'No messages yet.')]),
    );
  };
  send.addEventListener('click', async () => {
    if (send.getAttribute('aria-disabled') === 'true') return;
    send.setAttribute('aria-disabled', 'true');
    status.textContent = 'Sending…';
    const { state, problem } = await (await fetch('/api/mail/send', { method: 'POST' })).json();
    status.textContent = problem ?? (state === 'sent' ? 'Sent' : `The message is ${state}.`);
    send.removeAttribute('aria-disabled');
    await show();
  });
  void show();
  setInterval(() => void show(), refreshMs);
  return tag(
    'section',
    { class: 'mailbox', 'aria-labelledby': 'mailbox' },
    tag('h2', { id: 'mailbox' }, 'Mail'),
    intro,
    tag('div', { class: 'send' }, send, status),
    list,
  );
}

function message({ receivedAt, from, to, subject, text, files, source }) {
  const pictures = files.filter(({ type }) => type === 'image/png');
  const others = files.filter(({ type }) => type !== 'image/png');
  const links = [...others.map(({ name, url }) => [url, name]), [source, 'Source (.eml)']];
  return tag(
    'article',
    {},
    tag('h3', { dir: 'auto' }, subject),
    tag('p', { class: 'muted' }, `${from} to ${to.join(', ')}, ${new Date(receivedAt).toLocaleString()}`),
    ...pictures.map(({ url }) => tag('img', { src: url, alt: `Picture of ${subject}`, loading: 'lazy' })),
    tag('details', {}, tag('summary', {}, 'Text part'), tag('pre', { dir: 'auto', tabindex: '0' }, text)),
    tag('p', { class: 'links' }, ...links.map(([href, name]) => tag('a', { href }, name))),
  );
}
