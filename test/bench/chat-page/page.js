// One contestant at a time: `?who=floor|deep|pa&doc=…`. Each offers `send()`, which resolves when the answer is whole, and `history()`,
// which resolves when the long thread can be seen.

const parameters = new URLSearchParams(location.search);
const doc = parameters.get('doc') ?? 'mixed';
const address = `/chat/${doc}/chat/stream-chat-state`;
const frame = () => new Promise(requestAnimationFrame);

/** Reads the frames of an answer as they come. */
async function* read() {
  const body = JSON.stringify({ input: 'go' });
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** The least that a chat could do: a div per paragraph, and per line in a fence, a table or a list; kept scrolled to its end. */
async function floor() {
  const box = document.createElement('div');
  box.className = 'floor';
  document.body.append(box);
  let fence = false;
  let line = '';
  let text = null;
  let scheduled = false;
  const begin = () => {
    const block = document.createElement('div');
    text = document.createTextNode('');
    block.append(text);
    box.append(block);
  };
  const endLine = () => {
    if (line.startsWith('```')) fence = !fence;
    if (fence || line === '' || /^([|#>-]|\d+\.)/.test(line)) text = null;
    else text.appendData('\n');
    line = '';
  };
  const append = piece => {
    const [first, ...others] = piece.split('\n');
    const add = part => {
      if (part === '') return;
      if (!text) begin();
      text.appendData(part);
      line += part;
    };
    add(first);
    for (const other of others) {
      endLine();
      add(other);
    }
  };
  return {
    async send() {
      for await (const { isDelta, content } of read()) {
        if (!isDelta) continue;
        append(content);
        if (scheduled) continue;
        scheduled = true;
        requestAnimationFrame(() => {
          scheduled = false;
          box.scrollTop = box.scrollHeight;
        });
      }
    },
  };
}

async function deep() {
  await import('/deep-chat/deepChat.bundle.js');
  const chat = () => {
    const element = document.createElement('deep-chat');
    element.style.cssText = 'width:100vw;height:100vh;border:0';
    return element;
  };
  return {
    async send() {
      const element = chat();
      const whole = Promise.withResolvers();
      element.connect = {
        stream: parameters.has('partial') ? { partialRender: true } : true,
        handler: async (_body, signals) => {
          signals.onOpen();
          for await (const { isDelta, content } of read()) {
            if (isDelta) await signals.onResponse({ text: content });
          }
          signals.onClose();
          whole.resolve();
        },
      };
      document.body.append(element);
      await frame();
      element.submitUserMessage({ text: 'go' });
      await whole.promise;
    },
    async history(messages) {
      const element = chat();
      element.history = messages;
      document.body.append(element);
      const last = messages.at(-1).text.slice(0, 12);
      while (!element.shadowRoot?.textContent.includes(last.replaceAll('*', ''))) await frame();
    },
  };
}

async function pa() {
  await import('/pa-embed/pa-embed.js');
  const chat = attributes => {
    const element = document.createElement('pa-chat');
    for (const [name, value] of Object.entries({ account: 'local', 'agent-id': '1', ...attributes })) {
      element.setAttribute(name, value);
    }
    document.body.append(element);
    return element;
  };
  return {
    async send() {
      const element = chat({ 'proxy-url': `/chat/${doc}` });
      await element.updateComplete;
      await element.send('go');
    },
    async history() {
      const element = chat({ 'proxy-url': `/chat/${doc}`, 'thread-id': 'bench' });
      while (!deepText(element).includes('in week 499.')) await frame();
      return element;
    },
  };
}

/** All text below an element, shadow trees included. */
function deepText(node) {
  const inner = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
  return node.nodeType === Node.TEXT_NODE ? node.data : inner.map(deepText).join('');
}

const contestants = { floor, deep, pa };
globalThis.contestant = contestants[parameters.get('who')]();
