// Runs in the document of the app, before the app. Provides `pa` and writes the page of the app.
// See contract/app-bridge.ts.
(() => {
  // WebRTC is not restricted by the content security policy. It would still be available in a nested document, and XSLT
  // can create one.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'XSLTProcessor']) delete globalThis[name];
  const nestedDocument = /<[^\s>]*iframe|<!entity/i;
  globalThis.trustedTypes?.createPolicy('default', {
    createHTML: (html, _type, sink) => {
      if (sink.endsWith('srcdoc') || nestedDocument.test(html)) throw new TypeError('Apps cannot contain frames.');
      return html;
    },
    createScript: script => script,
    createScriptURL: url => url,
  });

  const element = (name, text, properties = {}) =>
    Object.assign(document.createElement(name), { ...properties, textContent: text });

  /** Writes the page: style sheets and modules first, then the HTML, then the entry. */
  const writePage = ({ html, files, entry }, applyContext) => {
    const names = Object.keys(files);
    const modules = names.filter(name => /\.m?js$/.test(name));
    const urlOf = name => URL.createObjectURL(new Blob([files[name]], { type: 'text/javascript' }));
    const imports = Object.fromEntries(modules.map(name => [`app/${name}`, urlOf(name)]));
    document.open();
    document.write('<!doctype html><meta charset="utf-8">');
    applyContext();
    document.head.append(
      element(
        'style',
        'body { margin: 0; color: var(--pa-text); background: var(--pa-surface); font: 14px/1.5 var(--pa-font); }',
      ),
      ...names.filter(name => name.endsWith('.css')).map(name => element('style', files[name])),
      element('script', JSON.stringify({ imports }), { type: 'importmap' }),
    );
    document.write(html);
    if (entry !== null)
      document.body.append(element('script', `import ${JSON.stringify(`app/${entry}`)};`, { type: 'module' }));
    document.close();
  };

  const start = ({ app, reports, context }, port) => {
    const pending = new Map();
    const listeners = new Set();
    let current = context;
    let lastId = 0;
    const applyContext = () => {
      const root = document.documentElement;
      const { text, muted, line, surface, font, series } = current.theme;
      const values = { text, muted, line, surface, font };
      for (const [name, value] of Object.entries(values)) root.style.setProperty(`--pa-${name}`, value);
      series.forEach((color, index) => {
        root.style.setProperty(`--pa-series-${index + 1}`, color);
      });
      root.lang = current.locale;
      root.dir = current.direction;
    };
    port.onmessage = ({ data }) => {
      if (data.type === 'context') {
        current = Object.freeze(data.context);
        applyContext();
        for (const listener of listeners) listener(current);
        return;
      }
      const { resolve, reject } = pending.get(data.id) ?? {};
      pending.delete(data.id);
      const { type, id: _, ...rest } = data;
      if (type === 'rows') resolve?.(rest);
      else reject?.(Object.assign(new Error(rest.message), { code: rest.code }));
    };
    const pa = {
      version: 1,
      reports: Object.freeze(reports),
      files: Object.freeze(app.files),
      get context() {
        return current;
      },
      load: report =>
        new Promise((resolve, reject) => {
          lastId += 1;
          pending.set(lastId, { resolve, reject });
          port.postMessage({ type: 'load', id: lastId, report });
        }),
      onChange: listener => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      resize: height => port.postMessage({ type: 'resize', height }),
    };
    Object.defineProperty(globalThis, 'pa', { value: Object.freeze(pa) });
    try {
      writePage(app, applyContext);
    } catch (error) {
      // Shows the author of the app why the page cannot be written.
      document.documentElement.append(error.message);
      document.close();
    }
  };

  addEventListener(
    'message',
    event => {
      if (event.source === parent) start(event.data, event.ports[0]);
    },
    { once: true },
  );
})();
