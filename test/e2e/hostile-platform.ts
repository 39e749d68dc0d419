import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/contract/wire.js';
import { misfits, poisons } from './hostile-dashboards.js';
import { strictestPolicy } from './strictest-policy.js';

// A hostile platform on the origin of its page.

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Responses of the platform, except rows. */
export interface HostilePlatform {
  readonly origin: string;
  /** Dashboards by public ID, sent unchanged. */
  readonly dashboards: Map<string, JsonObject>;
  /** Embed token payload in addition to the required claims. */
  grant: JsonObject;
  /** Account configuration; `null` if the service has none. */
  appConfig: JsonObject | null;
  close(): void;
}

/** Starts the platform and the page on a free port. The page contains the elements in its URL: `/?show=<id>,<id>`. */
export async function startHostilePlatform(): Promise<HostilePlatform> {
  const server = createServer(
    { maxHeaderSize: 65_536 },
    (request, response) => void answer(platform, request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const platform: HostilePlatform = {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    dashboards: new Map(),
    grant: {},
    appConfig: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return platform;
}

const page = (ids: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head><title>Host</title><script type="module" src="/pa-embed/pa-embed.js"></script></head>
  <body>
    <pa-session session-url="/session" base-url="/">
      ${ids.map(id => `<pa-dashboard public-id="${id}" url-state="${id}"></pa-dashboard>`).join('\n')}
    </pa-session>
  </body>
</html>`;

async function answer(platform: HostilePlatform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', platform.origin);
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  response.setHeader('content-security-policy', strictestPolicy);
  if (pathname === '/') {
    const ids = (searchParams.get('show') ?? '').split(',').filter(id => /^\w+$/.test(id));
    return void response.setHeader('content-type', 'text/html').end(page(ids));
  }
  const file = /^\/pa-embed\/([\w.-]+\.js)$/.exec(pathname)?.[1];
  if (file) {
    response.setHeader('content-type', 'text/javascript');
    return void createReadStream(join(root, 'dist/standalone', file)).pipe(response);
  }
  const dashboard = platform.dashboards.get(/^\/api\/v1\/embed\/dashboard\/(\w+)$/.exec(pathname)?.[1] ?? '');
  if (dashboard) return send(200, dashboard);
  switch (pathname) {
    case '/session':
      return send(200, { sessionId: randomBytes(16).toString('hex') });
    case '/api/v1/embed/session/token':
      return send(200, { token: tokenOf({ deploymentId: 1, ...platform.grant }) });
    case '/api/v1/deployments/1':
      return send(200, { id: 1, name: poisons[0], deploymentUrl: platform.origin, creationStep: 'ready' });
    case '/api/v1/deployments/1/token':
      return send(200, { platformApiToken: tokenOf({}) });
    case '/api/v1/app-config':
      return platform.appConfig
        ? send(200, platform.appConfig)
        : send(404, { statusCode: 404, message: poisons[0], error: poisons[1] });
    case '/data-api/v1/meta':
      return send(200, metaOf());
    case '/data-api/v1/load':
      return send(200, rowsOf(JSON.parse(await bodyOf(request)).query));
    default:
      return send(400, { error: poisons[1], requestId: poisons[0] });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Returns a string with the shape of a JWT; pages cannot verify one. */
function tokenOf(payload: JsonObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none' })}.${part({ iat: now, exp: now + 86_400, ...payload })}.x`;
}

interface AskedQuery {
  readonly measures?: readonly string[];
  readonly dimensions?: readonly string[];
  readonly timeDimensions?: readonly { readonly dimension: string; readonly granularity?: string }[];
}

/** Returns the members by kind; the name of a time member includes its granularity. */
function membersOf(
  query: AskedQuery,
): Readonly<Record<'measures' | 'dimensions' | 'timeDimensions', readonly string[]>> {
  const times = (query.timeDimensions ?? []).flatMap(time =>
    time.granularity ? [`${time.dimension}.${time.granularity}`] : [],
  );
  return { measures: query.measures ?? [], dimensions: query.dimensions ?? [], timeDimensions: times };
}

function rowsOf(query: AskedQuery): unknown {
  const members = membersOf(query);
  const view = (members.measures[0] ?? members.dimensions[0] ?? '').split('.')[0] ?? '';
  const poison = poisons[Number(/^poison(\d+)$/.exec(view)?.[1])] ?? poisons[Math.max(0, poisons.indexOf(view))] ?? '';
  const misfit = Object.hasOwn(misfits, view) ? misfits[view] : undefined;
  if (typeof misfit === 'string') return misfit;
  const type = { measures: 'number', dimensions: 'string', timeDimensions: 'time' } as const;
  const annotationsOf = (kind: keyof typeof type): JsonObject =>
    Object.fromEntries(
      members[kind].map(member => [
        member,
        {
          title: poison,
          shortTitle: poison,
          type: type[kind],
          format: poison.length % 2 ? poison : { type: 'link', label: poison },
          currency: poison,
          meta: { [poison]: poison },
          drillMembers: [poison, `${view}.label`],
        },
      ]),
    );
  const cellOf = (kind: keyof typeof type, row: number): unknown => {
    if (kind === 'measures') return row === 1 ? poison : String(row * 7 + 1);
    if (kind === 'dimensions') return row === 2 ? 'TX' : poison;
    return `2024-0${row + 1}-01T00:00:00.000`;
  };
  const data = [0, 1, 2].map(row =>
    Object.fromEntries(
      (['dimensions', 'timeDimensions', 'measures'] as const).flatMap(kind =>
        members[kind].map(member => [member, cellOf(kind, row)]),
      ),
    ),
  );
  return {
    query: { limit: 10_000, timezone: poison, timeDimensions: [{ dimension: poison, dateRange: [poison, poison] }] },
    data,
    annotation: {
      measures: annotationsOf('measures'),
      dimensions: annotationsOf('dimensions'),
      segments: {},
      timeDimensions: annotationsOf('timeDimensions'),
    },
    lastRefreshTime: poison,
    requestId: poison,
    ...misfit,
  };
}

/** Returns a model whose labels are all poisons. */
function metaOf(): JsonObject {
  const cubes = poisons.map((text, index) => {
    const memberOf = (name: string, type: string) => ({
      name: `poison${index}.${name}`,
      title: text,
      shortTitle: text,
      description: text,
      type,
      format: text,
      meta: { [text]: text },
    });
    return {
      name: `poison${index}`,
      title: text,
      type: 'view',
      measures: [memberOf('count', 'number')],
      dimensions: [
        memberOf('label', 'string'),
        memberOf('other', text),
        { ...memberOf('at', 'time'), granularities: [{ name: text, title: text }] },
      ],
      segments: [],
      hierarchies: [{ name: text, levels: [text, `poison${index}.label`] }],
    };
  });
  return { cubes, compilerId: poisons[0] };
}
