import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';
import type { RequestIdEnv, RequestOrigin } from './request-id.js';

/** Content of the console page that depends on the platform. */
export interface ConsoleOptions {
  readonly publicUrl: URL;
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  /** Whether the Data API serves a model. */
  readonly hasModel: boolean;
  /** Whether the database responds. */
  readonly isReady: () => Promise<boolean>;
}

/** Files of the built page. They do not exist if the platform runs from its sources: `/` then returns 401. */
const folder = fileURLToPath(new URL('../../console/page/', import.meta.url));
/**
 * Files of the bundle for pages that use no bundler. Files that the console page shares with this bundle exist only
 * here.
 */
const standalone = fileURLToPath(new URL('../../standalone/', import.meta.url));
/** Name with a hash of the content. */
const hashedName = /-[\w-]{8}\.js$/;
const manifest = fileURLToPath(new URL('../../../package.json', import.meta.url));
/** Markdown files of the documentation, which are part of the package. */
const documentation = fileURLToPath(new URL('../../../docs/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the playground at `/`, the pages for administrators at `/console`, and their files and the documentation below
 * `/console/`. Requires no authentication, because the pages contain no data and the viewer enters an API key or signs
 * in. Reads the files when they are first requested, to keep the start fast.
 */
export function consoleRoutes(options: ConsoleOptions): Hono<RequestIdEnv> {
  const app = new Hono<RequestIdEnv>({ strict: false });
  const page = new FileCache();
  const servePage = async (context: Context<RequestIdEnv>, next: () => Promise<void>) => {
    const html = await page.read(`${folder}index.html`);
    if (html === null) return next();
    const { publicUrl } = options;
    // The page may call only its own origin, but the URLs of deployments have the origin of the public URL. Other host
    // names, such as `localhost`, are other origins.
    if (hostNameOf(context) !== publicUrl.hostname) return context.redirect(publicUrl.origin + context.req.path);
    context.header('content-security-policy', policy);
    context.header('x-frame-options', 'DENY');
    context.header('referrer-policy', 'no-referrer');
    context.header('cross-origin-opener-policy', 'same-origin');
    const isPlayground = context.req.path === '/';
    const tag = isPlayground ? `${await openingTag(options, page)}</pa-console>` : '<pa-people></pa-people>';
    return context.html(html.toString().replace('<pa-console></pa-console>', () => tag));
  };
  app.get('/', servePage);
  app.get('/console', servePage);
  app.get('/console/:file{[\\w.-]+}', async (context, next) => {
    const name = context.req.param('file');
    const type = types[extname(name)];
    const own = type === undefined ? null : await page.read(folder + name);
    const content = own ?? (hashedName.test(name) ? await page.read(standalone + name) : null);
    if (content === null || type === undefined) return next();
    // The names contain a hash of the content.
    context.header('cache-control', 'public, max-age=31536000, immutable');
    context.header('content-type', type);
    context.header('content-security-policy', "default-src 'none'");
    return context.body(new Uint8Array(content));
  });
  app.get('/console/docs/:file{[\\w-]+\\.md}', async (context, next) => {
    const content = await page.read(documentation + context.req.param('file'));
    return content === null ? next() : context.text(content.toString());
  });
  return app;
}

/** Returns the host name of a request, as the client sent it. The app has checked that the platform has this name. */
function hostNameOf({ env, req }: Context<RequestIdEnv>): string {
  // The app is called without `env` if there is no listener, as in tests.
  const origin: RequestOrigin | undefined = env;
  const host = origin?.host ?? req.header('host') ?? new URL(req.url).host;
  return new URL(`http://${host}`).hostname;
}

/** Error codes for a file that does not exist, including one for names that are too long for the file system. */
const missing: readonly unknown[] = ['ENOENT', 'ENAMETOOLONG'];

/** Caches the content of files that exist. */
class FileCache {
  readonly #files = new Map<string, Promise<Buffer | null>>();

  /** Returns the content of a file; `null` if it does not exist. */
  async read(path: string): Promise<Buffer | null> {
    const known = this.#files.get(path);
    if (known) return known;
    const reading = readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (missing.includes(error.code)) return null;
      throw error;
    });
    const content = await reading;
    if (content !== null) this.#files.set(path, reading);
    return content;
  }
}

async function openingTag(options: ConsoleOptions, files: FileCache): Promise<string> {
  const { version }: { version: string } = JSON.parse(String(await files.read(manifest)));
  const attributes = {
    version,
    'data-api-path': options.dataApiPath,
    model: options.hasModel ? 'loaded' : 'none',
    health: (await options.isReady()) ? 'ready' : 'unavailable',
  };
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${value.replaceAll(/[&"<>]/g, '')}"`);
  return `<pa-console${text.join('')}>`;
}
