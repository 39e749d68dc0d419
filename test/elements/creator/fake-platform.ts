import type { PlatformConnection } from '../../../src/client/http/connection.js';
import { FakeSession } from '../fake-session.js';

/** A folder or workbook of the fake platform. */
export interface FakeItem {
  id: number;
  type: 'FOLDER' | 'WORKBOOK';
  name: string;
  folderId: number | null;
  isShared?: boolean;
  isFavorite?: boolean;
  publicId?: string;
}

/** A request that the page sent. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

const identity = JSON.stringify({ creatorMode: true, deploymentId: 1, embedTenantName: 'acme' });

/** A session in creator mode, on a platform that stores folders and workbooks in memory. */
export class CreatorSession extends FakeSession {
  override identity: string | null = identity;
  items: FakeItem[] = [];
  /** Requests that change something. */
  readonly log: string[] = [];
  /** Number of all requests. */
  requests = 0;
  /** Number of items per page. */
  pageSize = 50;
  /** Status of the responses to the next requests that write; 0 for success. */
  failsWith = 0;

  override authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    const fetch: typeof globalThis.fetch = async (input, init) => this.answer(new Request(input, init));
    return call({ baseUrl: 'https://platform.example', token: 'token', fetch, retries: 0 });
  }

  protected async answer(request: Request): Promise<Response> {
    this.requests += 1;
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.replace('/api/v1/deployments/1', '');
    const body = request.method === 'GET' || !request.body ? {} : await request.json();
    const sent: Sent = { method: request.method, path, query, body };
    if (request.method !== 'GET') this.log.push(`${request.method} ${path} ${JSON.stringify(body)}`);
    if (request.method !== 'GET' && this.failsWith) {
      const message = 'No.';
      return Response.json({ statusCode: this.failsWith, message, error: 'Failed' }, { status: this.failsWith });
    }
    const answer = this.respond(sent);
    return answer === null ? new Response(null, { status: 204 }) : Response.json(answer);
  }

  protected respond({ method, path, query, body }: Sent): unknown {
    const id = Number(/\d+$/.exec(path.replace(/\/(duplicate)$/, ''))?.[0] ?? body.id);
    const item = this.items.find(each => each.id === id);
    if (path === '/workspace/favorite' && item) item.isFavorite = body.isFavorite === true;
    if (path.endsWith('workspace')) return this.#list({ isShared: path === '/shared-workspace', query });
    if (path === '/folders' && method === 'GET') {
      return this.#page(this.#in(Number(query.get('parentId'))).filter(({ type }) => type === 'FOLDER'));
    }
    if (path === '/workbooks' || path === '/folders') return this.#create(path, body);
    if (!item) throw new Error(`The fake platform has no ${path}.`);
    if (method === 'DELETE') {
      this.items = this.items.filter(each => each !== item);
      return null;
    }
    if (path.endsWith('/duplicate')) return this.#create('/workbooks', { name: `Copy of ${item.name}` });
    if (path === '/workspace/move') item.folderId = typeof body.folderId === 'number' ? body.folderId : null;
    if (typeof body.name === 'string') item.name = body.name;
    return shown(item);
  }

  #create(path: string, { name, folderId, parentId }: Record<string, unknown>): unknown {
    const parent = folderId ?? parentId;
    const item: FakeItem = {
      id: Math.max(0, ...this.items.map(({ id }) => id)) + 1,
      type: path === '/folders' ? 'FOLDER' : 'WORKBOOK',
      name: String(name),
      folderId: typeof parent === 'number' ? parent : null,
    };
    this.items.push(item);
    return shown(item);
  }

  #list({ isShared, query }: { readonly isShared: boolean; readonly query: URLSearchParams }): unknown {
    const search = query.get('search')?.toLowerCase();
    const isMarked = query.get('favorites') === 'true';
    const scope = search || isMarked ? this.items : this.#in(Number(query.get('folderId')));
    const found = scope
      .filter(item => !isMarked || item.isFavorite)
      .filter(item => (item.isShared ?? false) === isShared && item.name.toLowerCase().includes(search ?? ''))
      .sort((a, b) => a.type.localeCompare(b.type));
    return this.#page(found, Number(query.get('after') ?? 0));
  }

  #in(folderId: number): FakeItem[] {
    return this.items.filter(item => (item.folderId ?? 0) === folderId);
  }

  #page(items: readonly FakeItem[], from = 0): unknown {
    const end = from + this.pageSize;
    const pageInfo = { hasNextPage: end < items.length, hasPreviousPage: false, endCursor: String(end) };
    return { items: items.slice(from, end).map(shown), pageInfo };
  }
}

function shown({ publicId, ...item }: FakeItem) {
  const at = { createdAt: '2026-01-02T03:04:05Z', updatedAt: '2026-01-02T03:04:05Z', deploymentId: 1 };
  const publishedDashboard = publicId && {
    allowEmbed: true,
    config: {},
    deploymentId: 1,
    id: item.id,
    publicId,
    reportSnapshots: [],
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: item.id,
  };
  return { ...item, ...at, calculatedFields: {}, meta: {}, position: 0, folderPath: [], publishedDashboard };
}
