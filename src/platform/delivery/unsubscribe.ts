import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { unsubscribe } from '../../contract/notification-recipients.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact } from '../http/serve.js';
import { accountConfig } from '../settings/account-settings.js';
import { mailMessages } from './mail/mail-messages.js';
import { removeRecipient } from './recipient-store.js';

const owner = 'notification unsubscribe';
const path = '/api/v1/notifications/unsubscribe';

interface Subscription {
  readonly notificationId: number;
  readonly userId: number;
}

/**
 * Returns a function that creates the URL that removes one recipient of a notification (RFC 8058). The token in the URL
 * is encrypted, and permits nothing else.
 */
export function createUnsubscribeUrl(
  sealedSecrets: SealedSecrets,
  publicUrl: string,
): (notificationId: number, userId: number) => string {
  return (notificationId, userId) => `${publicUrl}${path}/${sealedSecrets.seal(`${notificationId} ${userId}`, owner)}`;
}

function readToken(sealedSecrets: SealedSecrets, token: string): Subscription {
  const [notificationId = 0, userId = 0] = sealedSecrets.open(token, owner)?.split(' ').map(Number) ?? [];
  if (!Number.isSafeInteger(notificationId) || notificationId < 1 || userId < 1) throw notFound('Subscription');
  return { notificationId, userId };
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Deps = Pick<RouteDeps, 'db' | 'sealedSecrets'>;

async function remove({ db, sealedSecrets }: Deps, request: Request, token: string): Promise<void> {
  const { notificationId, userId } = readToken(sealedSecrets, token);
  const target = { id: notificationId, userId };
  await transact(db, unsubscribe.id, { principal: null, request, target }, tx =>
    removeRecipient(tx, notificationId, userId),
  );
}

/** Mounts the URL of `List-Unsubscribe`. A single POST ends the subscription. */
export function mountUnsubscribe(app: Hono, deps: RouteDeps): void {
  serve(app, unsubscribe, deps, async ({ params, request }) => {
    await remove(deps, request, params.token);
    return undefined;
  });
}

/**
 * Mounts the pages for recipients who open the URL of `List-Unsubscribe`, with a button that ends the subscription.
 * Only POST ends it, because mail scanners open every link.
 */
export function unsubscribePages(deps: Deps): Hono {
  const app = new Hono();
  const locale = async () => (await accountConfig(deps.db)).embedding.locale ?? 'en';
  app.get(`${path}/:token`, async context => {
    const token = context.req.param('token');
    readToken(deps.sealedSecrets, token);
    return page(context, await locale(), { token });
  });
  app.post(`${path}/:token/confirm`, async context => {
    await remove(deps, context.req.raw, context.req.param('token'));
    return page(context, await locale(), { token: null });
  });
  return app;
}

/** Returns the page that confirms the end of a subscription (`token` is `null`) or on which the user confirms it. */
async function page(context: Context, locale: string, { token }: { readonly token: string | null }): Promise<Response> {
  const text = mailMessages(locale);
  const body =
    token === null
      ? html`<p role="status">${text('unsubscribed')}</p>`
      : html`<p>${text('unsubscribeQuestion')}</p>
<form method="post" action="${path}/${token}/confirm"><button>${text('unsubscribe')}</button></form>`;
  context.header('content-security-policy', policy);
  context.header('referrer-policy', 'no-referrer');
  return context.html(html`<!doctype html>
<html lang="${locale}" dir="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${text('unsubscribe')}</title>
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:28rem;margin:20vh auto;padding:0 1rem;text-align:center}
button{font:inherit;padding:.5rem 1.25rem;border-radius:.5rem;border:1px solid;cursor:pointer}</style></head>
<body><main>${body}</main></body></html>
`);
}
