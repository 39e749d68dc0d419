// A page with one candidate: `?who=floor|deep|pa&doc=…`. `send()` resolves when the response is complete, `history()`
// when the long thread is visible.

const parameters = new URLSearchParams(location.search);
const doc = parameters.get('doc') ?? 'mixed';
const address = `/chat/${doc}/chat/stream-chat-state`;
const frame = () => new Promise(requestAnimationFrame);

/** Reads the frames of a response as they arrive. */
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

/**
 * A minimal chat. It renders one div per paragraph and per line of a code block, table or list, and scrolls to the end.
 */
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
  const show = async messages => {
    const element = chat();
    element.history = messages;
    document.body.replaceChildren(element);
    await shows(element, messages.at(-1).text.split('\n')[0]);
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
    warm: messages => show(messages),
    history: messages => show(messages),
  };
}

/** Returns the frames of a stored thread. */
const framesOf = messages => [
  ...messages.map(({ role, text }, index) => ({
    id: role === 'user' ? `${1_700_000_000_000 + index}-message` : `answer-${index}`,
    role: role === 'user' ? 'user' : 'assistant',
    content: text,
    isDelta: false,
    sort: index,
    ...(role === 'user' ? {} : { graphPath: ['final'], finishReason: 'stop' }),
  })),
  { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: String(messages.length), isStreaming: false } },
  { id: '__usage__', type: 'usage', usage: {} },
];

async function pa() {
  await import('/pa-embed/pa-embed.js');
  const chat = (attributes, properties = {}) => {
    const element = document.createElement('pa-chat');
    for (const [name, value] of Object.entries({ account: 'local', 'agent-id': '1', ...attributes })) {
      element.setAttribute(name, value);
    }
    Object.assign(element, properties);
    document.body.replaceChildren(element);
    return element;
  };
  const threads = new Map();
  /** An in-memory Chat API, passed to deep-chat as a property. */
  const service = {
    stream: async ({ chatId }, { onFrame, onOpen }) => {
      onOpen?.();
      for (const each of framesOf(threads.get(chatId))) onFrame(each, null);
    },
    abort: async () => {},
    threads: async () => null,
    suggestions: async () => [],
  };
  let element;
  const show = async messages => {
    const id = String(messages.length);
    threads.set(id, messages);
    element.openThread(id);
    await shows(element, messages.at(-1).text.split('\n')[0]);
  };
  return {
    async send() {
      const chatElement = chat({ 'proxy-url': `/chat/${doc}` });
      await chatElement.updateComplete;
      await chatElement.send('go');
    },
    async warm(messages) {
      element = chat({}, { service });
      await element.updateComplete;
      await show(messages);
    },
    history: messages => show(messages),
  };
}

/** Resolves when a text is displayed in an element. */
async function shows(element, markdown) {
  const text = markdown.replaceAll('*', '');
  while (!lastText(element).includes(text)) await frame();
}

/** Returns the last text in an element, including shadow trees. Searches from the end to keep the cost low. */
function lastText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  let text = '';
  const inner = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
  for (let index = inner.length - 1; index >= 0 && text.length < 400; index--) text = lastText(inner[index]) + text;
  return text;
}

const candidates = { floor, deep, pa };
globalThis.candidate = candidates[parameters.get('who')]();
