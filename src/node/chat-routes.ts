/** What of the Chat API a request is for. */
export interface ChatRoute {
  /** Below the address of the agent's chat. */
  readonly path: string;
  readonly method: string;
  /** What a page may say in a body, whom it speaks for not among it; null where there is no body. */
  readonly fields: readonly string[] | null;
  /** Where it is said whom the page speaks for: only some bodies have room for it. */
  readonly settingsIn: 'body' | 'header';
}

const routes: Readonly<Record<string, readonly ChatRoute[]>> = {
  'stream-chat-state': [
    {
      path: '/stream-chat-state',
      method: 'POST',
      fields: ['input', 'chatId', 'messageId', 'images'],
      settingsIn: 'body',
    },
  ],
  abort: [{ path: '/abort', method: 'POST', fields: ['chatId'], settingsIn: 'body' }],
  suggestions: [{ path: '/suggestions', method: 'GET', fields: null, settingsIn: 'header' }],
  threads: [{ path: '/threads', method: 'GET', fields: null, settingsIn: 'header' }],
  'threads/': [
    { path: '/threads/{chatId}', method: 'PATCH', fields: ['title'], settingsIn: 'header' },
    { path: '/threads/{chatId}', method: 'DELETE', fields: null, settingsIn: 'header' },
  ],
};
const tail = /\/chat\/(?:(stream-chat-state|abort|suggestions|threads)|(threads\/)([\w-]{1,64}))$/;

/** The routes, one for each method, that a path ends like, wherever the handler is mounted; none for any other path. */
export function findRoutes(pathname: string): { readonly routes: readonly ChatRoute[]; readonly chatId: string } {
  const [, name, folder, chatId = ''] = tail.exec(pathname) ?? [];
  return { routes: routes[name ?? folder ?? ''] ?? [], chatId };
}
