// Runs in the frame of the platform, above the app. Creates the frame of the app and relays its messages to the page,
// which receives only valid messages at a limited rate. See contract/app-bridge.ts.
(() => {
  const version = 1;
  const maxBurst = 100;
  const messagesPerSecond = 20;

  // The only HTML of this page is the static start page of the app.
  globalThis.trustedTypes?.createPolicy('default', { createHTML: html => html });

  /** Returns a copy that contains only the declared numbers; `null` if the message is invalid. */
  const checked = message => {
    const { type, id, report, height } = Object(message);
    if (type === 'load' && Number.isSafeInteger(id) && Number.isSafeInteger(report)) return { type, id, report };
    if (type === 'resize' && Number.isFinite(height)) return { type, height };
    return null;
  };

  const relay = (frame, page, app) => {
    let credit = maxBurst;
    let creditedAt = performance.now();
    const stop = reason => {
      app.close();
      frame.remove();
      page.postMessage({ type: 'stop', reason });
    };
    app.onmessage = ({ data }) => {
      const now = performance.now();
      credit = Math.min(maxBurst, credit + ((now - creditedAt) / 1000) * messagesPerSecond) - 1;
      creditedAt = now;
      if (credit < 0) return stop('rate');
      const message = checked(data);
      if (message) page.postMessage(message);
      else stop('message');
    };
    page.onmessage = ({ data }) => app.postMessage(data);
    return stop;
  };

  const start = event => {
    const [page] = event.ports;
    if (event.source !== parent || !page || event.data?.version !== version) return;
    removeEventListener('message', start);
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.title = document.title;
    frame.srcdoc = document.querySelector('template').innerHTML;
    let stop = null;
    let isReady = false;
    // The first load is the start page, the second the page of the app, which the start page writes. A third one is an
    // attempt to navigate away.
    frame.addEventListener('load', () => {
      if (isReady) return stop('navigation');
      if (stop) {
        isReady = true;
        return page.postMessage({ type: 'ready' });
      }
      const { port1, port2 } = new MessageChannel();
      stop = relay(frame, page, port1);
      // The target has an opaque origin, which cannot be named, so any origin must be allowed. Its document is the one
      // that this page has set.
      frame.contentWindow.postMessage(event.data, '*', [port2]);
    });
    document.body.append(frame);
  };
  addEventListener('message', start);
})();
