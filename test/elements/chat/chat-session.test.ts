import { expect, nextFrame } from '@open-wc/testing';
import { PaError } from '../../../src/client/errors.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import '../../../src/elements/chat/pa-chat.js';
import '../../../src/elements/session/pa-session.js';
import type { PaChat } from '../../../src/elements/chat/chat-element.js';
import { piece } from '../../client/chat/fake-chat.js';
import { eventually } from '../eventually.js';
import { FakeSession, provide } from '../fake-session.js';
import {
  answerOf,
  ask,
  button,
  chatPage,
  input,
  press,
  statusText,
  textOf,
  turns,
  within,
  write,
} from './chat-page.js';
import { answerWithThread, sendEnd, sendStart, threadFrames } from './fake-chat-service.js';

/** Each test has a new account, so that requests of an earlier chat are not counted. */
let account = '';
let accounts = 0;

/** Creates a session whose chat requests are answered by `fetch` with frames from the test. */
async function sessionPage(prepare: (session: FakeSession, element: PaChat) => void = () => {}) {
  const session = new FakeSession();
  const element = Object.assign(document.createElement('pa-chat'), { account, agentId: '1' });
  prepare(session, element);
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await element.updateComplete;
  return { session, element, provider };
}

const realFetch = window.fetch;
let requests: { url: string; headers: Headers; body: unknown }[] = [];

beforeEach(() => {
  requests = [];
  accounts += 1;
  account = `account-${accounts}`;
  window.fetch = async (url, init) => {
    const request = new Request(url, init);
    const text = await request.clone().text();
    requests.push({ url: request.url, headers: request.headers, body: text ? JSON.parse(text) : null });
    if (!request.url.endsWith('/stream-chat-state'))
      return Response.json({ items: [], pageInfo: { hasNextPage: false } });
    const body = requests.at(-1)?.body as { messageId?: string; input?: string };
    const lines = [
      { id: '__cutoff__', role: 'assistant', state: { chatId: 't-1', isStreaming: true } },
      { id: body.messageId, role: 'user', content: body.input },
      { id: 'a', role: 'assistant', content: 'Seven.', isDelta: false, finishReason: 'stop' },
      { id: '__usage__', type: 'usage' },
    ];
    return new Response(lines.map(line => `${JSON.stringify(line)}\n`).join(''), {
      headers: { 'content-type': 'application/json' },
    });
  };
});

afterEach(() => {
  window.fetch = realFetch;
  document.body.replaceChildren();
});

const accountRequests = () => requests.filter(({ url }) => url.includes(`/${account}/`));
const streamRequests = () => requests.filter(({ url }) => url.endsWith('/stream-chat-state'));

describe('chat requests in a session', () => {
  it('calls the platform with the token of the surrounding session', async () => {
    const { element } = await sessionPage();
    expect(await element.send('How many?')).to.equal(true);
    await eventually(() => answerOf(element) === 'Seven.');
    expect(streamRequests()[0]?.url).to.equal(
      `https://platform.example/api/v1/public/${account}/agents/1/chat/stream-chat-state`,
    );
    expect(streamRequests()[0]?.headers.get('authorization')).to.contain('token-of-the-session');
  });

  it('calls the Chat API URL of the session or the chat', async () => {
    const around = await sessionPage(session => Object.assign(session, { aiUrl: 'https://ai.example' }));
    await around.element.send('How many?');
    const overriding = await sessionPage((session, element) => {
      Object.assign(session, { aiUrl: 'https://ai.example' });
      element.aiUrl = 'https://own.example';
    });
    await overriding.element.send('How many?');
    expect(streamRequests().map(({ url }) => new URL(url).host)).to.deep.equal(['ai.example', 'own.example']);
  });

  it('is hidden with a dashboard if the session, or else the account, sets showDashboardChat to false', async () => {
    const isHidden = async (own: boolean | undefined, ofAccount: boolean | undefined, htmlFor: string | null) => {
      const { element } = await sessionPage((session, chat) => {
        if (own !== undefined) session.settings = { showDashboardChat: own };
        session.config = {
          applyThemeGlobally: false,
          restrictDataDownload: false,
          sheetsAgentChatEnabled: false,
          ...(ofAccount !== undefined && { embedding: { showDashboardChat: ofAccount } }),
        };
        Object.assign(chat, { mode: 'panel', htmlFor });
      });
      for (let frame = 0; frame < 3; frame++) await nextFrame();
      const hasContext = within(element, 'pa-chat-context') !== null;
      expect(hasContext).to.equal(htmlFor !== null && !element.hidden);
      return element.hidden;
    };
    expect(await isHidden(false, undefined, 'board')).to.equal(true);
    expect(await isHidden(undefined, false, 'board')).to.equal(true);
    expect(await isHidden(false, true, 'board')).to.equal(true);
    expect(await isHidden(true, false, 'board')).to.equal(false);
    expect(await isHidden(undefined, undefined, 'board')).to.equal(false);
    expect(await isHidden(false, false, null)).to.equal(false);
  });

  it('is hidden with an editor by showWorkbookChat instead', async () => {
    const isHidden = async (settings: object) => {
      const { element } = await sessionPage((session, chat) => {
        session.settings = settings;
        const editor = document.createElement('pa-workbook');
        editor.id = 'editor';
        document.body.append(editor);
        Object.assign(chat, { mode: 'panel', htmlFor: 'editor' });
      });
      for (let frame = 0; frame < 3; frame++) await nextFrame();
      const { hidden } = element;
      document.querySelector('#editor')?.remove();
      return hidden;
    };
    expect(await isHidden({ showWorkbookChat: false })).to.equal(true);
    expect(await isHidden({ showDashboardChat: false })).to.equal(false);
  });

  it('offers row export only if the session or the host allows it', async () => {
    const isRestricted = async (element: PaChat): Promise<boolean | undefined> => {
      await element.send('How many?');
      await eventually(() => turns(element).at(-1)?.context);
      return turns(element).at(-1)?.context?.restricted;
    };
    const inSession = async (restrictDataDownload: boolean | null, fields: Partial<PaChat> = {}) => {
      const config = { applyThemeGlobally: false, sheetsAgentChatEnabled: false };
      const { element } = await sessionPage((session, chat) => {
        if (restrictDataDownload !== null) session.config = { ...config, restrictDataDownload };
        Object.assign(chat, fields);
      });
      return isRestricted(element);
    };
    expect(await inSession(false)).to.equal(false);
    expect(await inSession(false, { restrictDownload: true })).to.equal(true);
    expect(await inSession(true, { allowDownload: true })).to.equal(true);
    expect(await inSession(null, { allowDownload: true })).to.equal(true);
    for (const allowDownload of [false, true]) {
      const fields = { proxyUrl: '/assistant', account, agentId: '1', allowDownload };
      const element = Object.assign(document.createElement('pa-chat'), fields);
      document.body.append(element);
      expect(await isRestricted(element)).to.equal(!allowDownload);
    }
  });

  it('gets the Chat API URL from a <pa-session>', async () => {
    const answer = window.fetch;
    window.fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url, location.href);
      if (pathname !== '/api/v1/embed/session/token') return answer(url, init);
      return Response.json({ token: `e30.${btoa(JSON.stringify({ exp: 4_000_000_000, deploymentId: 1 }))}.x` });
    };
    const session = Object.assign(document.createElement('pa-session'), {
      session: async () => '0123456789abcdef0123456789abcdef',
      baseUrl: 'https://platform.example',
      aiUrl: 'https://chat.example',
    });
    const element = Object.assign(document.createElement('pa-chat'), { account, agentId: '1' });
    session.append(element);
    document.body.append(session);
    await eventually(() => accountRequests().some(({ url }) => url.startsWith('https://chat.example/')));
    expect(await element.send('How many?')).to.equal(true);
    expect(new URL(streamRequests()[0]?.url ?? '').host).to.equal('chat.example');
  });

  it('needs no session with a host proxy', async () => {
    const element = Object.assign(document.createElement('pa-chat'), {
      proxyUrl: '/assistant',
      account: 'local',
      agentId: '1',
    });
    document.body.append(element);
    await element.updateComplete;
    expect(await element.send('How many?')).to.equal(true);
    expect(new URL(streamRequests()[0]?.url ?? '').pathname).to.contain('/assistant');
    expect(streamRequests()[0]?.headers.get('authorization')).to.equal(null);
  });

  it('supports two chats on a page, each with its own thread', async () => {
    const one = await chatPage({}, fake => {
      fake.answers = answerWithThread(threadFrames(1));
    });
    const two = await chatPage({ threadId: 't-2' }, fake => {
      fake.answers = answerWithThread(threadFrames(2));
    });
    await eventually(() => turns(two.element).length === 2);
    expect(turns(one.element).length).to.equal(0);
    await ask(one, 'Hello');
    expect(two.chat.streams.length).to.equal(1);
  });
});

describe('chat identity', () => {
  it('sends nothing before the session has an identity', async () => {
    const { element, session } = await sessionPage(fake => {
      fake.identity = null;
      fake.status = SessionStatus.starting;
    });
    write(element, 'How many?');
    press(input(element), 'Enter');
    await nextFrame();
    expect(accountRequests()).to.deep.equal([]);
    expect(input(element).value).to.equal('How many?');
    session.identity = 'someone';
    session.setStatus(SessionStatus.ready);
    await eventually(() => accountRequests().length > 0);
    press(input(element), 'Enter');
    await eventually(() => answerOf(element) === 'Seven.');
  });

  it('neither shows nor sends content of one identity to another', async () => {
    const { element, session } = await sessionPage();
    await element.send('How many?');
    await eventually(() => answerOf(element) === 'Seven.');
    write(element, 'a draft');
    session.emit({ type: 'identity', identity: 'other' });
    await eventually(() => turns(element).length === 0);
    await eventually(() => input(element).value === '');
    expect(element.threadId).to.equal(null);
    await element.send('And now?');
    expect(streamRequests().at(-1)?.body).not.to.have.property('chatId');
  });

  it('discards an unsent message when the identity changes', async () => {
    const { element, session } = await sessionPage();
    await eventually(() => accountRequests().length > 0);
    write(element, 'mine alone');
    press(input(element), 'Enter');
    session.emit({ type: 'identity', identity: null });
    session.emit({ type: 'identity', identity: 'other' });
    await element.updateComplete;
    await nextFrame();
    expect(input(element).value).to.equal('');
    expect(streamRequests()).to.deep.equal([]);
    expect(await element.send('And now?')).to.equal(true);
    expect(streamRequests().map(({ body }) => (body as { input?: string }).input)).to.deep.equal(['And now?']);
  });

  it('clears pending announcements when the identity changes', async () => {
    const { element, session } = await sessionPage();
    await element.send('How many?');
    await eventually(() => statusText(element).startsWith('Seven.'));
    session.setStatus(SessionStatus.expired);
    await eventually(() => statusText(element) === '');
    session.setStatus(SessionStatus.ready);
    await element.send('And now?');
    await eventually(() => statusText(element).startsWith('Seven.'));
    session.emit({ type: 'identity', identity: 'other' });
    await eventually(() => statusText(element) === '');
  });
});

describe('chat session state', () => {
  it('shows that the session is over and continues with the next session', async () => {
    const { element, session } = await sessionPage();
    await element.send('How many?');
    session.setStatus(SessionStatus.expired);
    await eventually(() => textOf(within(element, '.notice .title')) === 'Your session has ended');
    expect(turns(element).length).to.equal(1);
    button(element, 'Try again')?.click();
    expect(session.starts).to.equal(1);
    session.setStatus(SessionStatus.ready);
    await eventually(() => !within(element, '.notice'));
  });

  it('shows nothing while the session awaits confirmation', async () => {
    const { element, session } = await sessionPage();
    session.suspend();
    await eventually(() => within(element, '.frame')?.classList.contains('blank'));
    await session.resume();
    await eventually(() => !within(element, '.frame')?.classList.contains('blank'));
  });

  it('shows that chat is disabled and sends nothing', async () => {
    const { element } = await sessionPage(session => {
      session.settings = { allowAi: false };
    });
    await eventually(() => textOf(within(element, '.notice .title')) === 'Chat is disabled');
    expect(input(element).disabled).to.equal(true);
    expect(await element.send('How many?')).to.equal(false);
    expect(accountRequests()).to.deep.equal([]);
  });

  it('shows a refusal by the service and allows a retry', async () => {
    const { element, chat } = await chatPage({}, fake => {
      fake.suggested = new PaError('not_allowed', 'AI is off.', { status: 403 });
    });
    await eventually(() => textOf(within(element, '.notice .title')) === 'Chat is disabled');
    expect(await element.send('How many?')).to.equal(false);
    chat.suggested = ['How many?'];
    button(element, 'Try again')?.click();
    await eventually(() => button(element, 'How many?'));
    expect(input(element).disabled).to.equal(false);
  });

  it('reports invalid attributes', async () => {
    const { element } = await sessionPage((_, chat) => {
      chat.account = '';
    });
    await eventually(() => within(element, '.notice'));
    expect(accountRequests()).to.deep.equal([]);
  });
});

describe('chat moves and removal', () => {
  it('keeps the conversation when the element moves', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'There ');
    await eventually(() => answerOf(element) === 'There');
    const other = document.createElement('section');
    document.body.append(other);
    other.append(element);
    await nextFrame();
    expect(chat.last.signal?.aborted).to.equal(false);
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, 'were 7'));
    await eventually(() => answerOf(element) === 'There were 7');
  });

  it('disconnects but keeps the answer running on removal, and rejoins it on return', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'There ');
    await eventually(() => answerOf(element) === 'There');
    const { messageId } = chat.last.ask;
    element.remove();
    await eventually(() => chat.last.signal?.aborted);
    expect(chat.aborted).to.deep.equal([]);
    document.body.append(element);
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask).to.deep.include({ chatId: 'thread-1', messageId });
    sendStart(chat.last, 'There ', 'were 7');
    sendEnd(chat.last, 'There were 7.');
    await eventually(() => answerOf(element) === 'There were 7.');
    expect(turns(element).length).to.equal(1);
  });

  it('leaves no listeners after repeated moves', async () => {
    const session = new FakeSession();
    const provider = provide(session);
    document.body.append(provider);
    const counts = { added: 0, removed: 0 };
    const { addEventListener, removeEventListener } = window;
    window.addEventListener = ((...args: Parameters<typeof addEventListener>) => {
      counts.added += 1;
      addEventListener.apply(window, args);
    }) as typeof addEventListener;
    window.removeEventListener = ((...args: Parameters<typeof removeEventListener>) => {
      counts.removed += 1;
      removeEventListener.apply(window, args);
    }) as typeof removeEventListener;
    const element = Object.assign(document.createElement('pa-chat'), { account, agentId: '1' });
    for (let cycle = 0; cycle < 100; cycle += 1) {
      provider.append(element);
      await element.updateComplete;
      element.remove();
      await Promise.resolve();
    }
    window.addEventListener = addEventListener;
    window.removeEventListener = removeEventListener;
    expect(counts.removed).to.equal(counts.added);
    await eventually(() => session.listeners === 0);
  });
});
