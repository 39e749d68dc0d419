import { type Context, Hono } from 'hono';
import { findUserOf, linkUser, type Subject, subjectOf } from '../../auth/identity-store.js';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import { takeOnce } from '../../auth/sessions.js';
import type { Db } from '../../db/database.js';
import { Role } from '../../db/schema.js';
import { PlatformError } from '../../errors.js';
import type { RequestIdEnv } from '../../http/request-id.js';
import { retryTransaction } from '../../http/serve.js';
import { insertUser } from '../user-store.js';
import { applyClaimRules, type Claims } from './claim-rules.js';
import { createOidcClient, type PendingSignIn } from './oidc-client.js';
import type { OidcSettings } from './oidc-options.js';
import { oidcPath } from './oidc-path.js';
import { endedPendingCookie, pendingCookie, readPendingCookie, sessionCookie } from './session-cookie.js';
import { startSession } from './sign-in.js';
import { SignInFailures } from './sign-in-failures.js';

/** Path to which the provider sends the browser back. */
const callbackPath = `${oidcPath}/callback`;
/** Page to which a sign-in redirects. A URL from a request is never used for a redirect. */
const page = '/console';
const maxPendingMs = 10 * 60_000;
const owner = 'oidc sign-in';

/** Why a sign-in failed. The page reads the value from its URL. */
type Failure = 'denied' | 'expired' | 'failed' | 'unknown-user';

/** Options of the sign-in with an OpenID provider. */
interface OidcRoutesOptions {
  readonly db: Db;
  readonly settings: OidcSettings;
  readonly sealedSecrets: SealedSecrets;
  /** Origin of the platform. */
  readonly origin: string;
  /** Counts a request of an address. @throws PlatformError 429 */
  readonly countRequest: (caller: string) => Promise<void>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Mounts the sign-in with an OpenID provider: two routes that redirect browsers. */
export function oidcRoutes(options: OidcRoutesOptions): Hono<RequestIdEnv> {
  const { db, settings, sealedSecrets, origin, countRequest, onFailure } = options;
  const client = createOidcClient(settings, origin + callbackPath);
  const app = new Hono<RequestIdEnv>({ strict: false });
  const failures = new SignInFailures(db);
  const recordFailure = (context: Context<RequestIdEnv>, reason: string) =>
    failures.record(
      context.req.raw,
      { method: 'oidc', reason, userId: null, address: addressOf(context) || null },
      error => onFailure(error, context.get('requestId')),
    );

  app.get(oidcPath, async context => {
    await countRequest(`sign-in ${addressOf(context)}`);
    try {
      const { url, pending } = await client.start();
      context.header('set-cookie', pendingCookie(seal(sealedSecrets, pending)));
      return redirect(context, url.href);
    } catch (error) {
      onFailure(error, context.get('requestId'));
      return redirect(context, failed('failed'));
    }
  });

  app.get(callbackPath, async context => {
    await countRequest(`sign-in ${addressOf(context)}`);
    context.header('set-cookie', endedPendingCookie, { append: true });
    const pending = open(sealedSecrets, readPendingCookie(context.req.raw));
    const { search, searchParams } = new URL(context.req.url);
    if (!pending || !(await takeOnce(db, `oidc:${pending.state}`))) return redirect(context, failed('expired'));
    if (searchParams.get('error') === 'access_denied') return redirect(context, failed('denied'));
    try {
      const claims = await client.finish(new URL(origin + callbackPath + search), pending);
      const userId = await userOf(claims);
      if (userId === null) {
        recordFailure(context, 'unknown user');
        return redirect(context, failed('unknown-user'));
      }
      const sign = { operation: 'signInWithProvider', userId, method: 'oidc' } as const;
      const secret = await startSession(db, context.req.raw, sign);
      context.header('set-cookie', sessionCookie(secret), { append: true });
      return redirect(context, page);
    } catch (error) {
      if (error instanceof PlatformError) recordFailure(context, 'rejected');
      else onFailure(error, context.get('requestId'));
      return redirect(context, failed('failed'));
    }

    /** Finds or creates the user of verified claims, and applies the rules. */
    async function userOf(claims: Claims): Promise<number | null> {
      const subject = subjectOf(settings.issuer.href, claims, settings);
      if (!subject) return null;
      return retryTransaction(() =>
        db.transaction(async tx => {
          const known = await findUserOf(tx, subject);
          const userId = known ?? (settings.createsUsers ? await createUser(tx, subject, claims) : null);
          if (userId !== null) await applyClaimRules(tx, userId, settings.rules, claims);
          return userId;
        }),
      );
    }
  });

  return app;
}

/** Creates a user at the first sign-in. Returns `null` without a verified email, or if another user has it. */
async function createUser(tx: Db, subject: Subject, { name, given_name: given }: Claims): Promise<number | null> {
  const { verifiedEmail: email } = subject;
  if (email === null) return null;
  const displayName = [name, given].find(each => typeof each === 'string' && each !== '');
  const user = {
    username: email,
    email,
    role: Role.user,
    displayName: typeof displayName === 'string' ? displayName.slice(0, 255) : null,
  };
  const userId = await insertUser(tx, user, []);
  if (userId === null) return null;
  // Throw to roll back the transaction, because a deactivated user has this subject.
  if (!(await linkUser(tx, userId, subject))) throw new PlatformError(403, 'The subject belongs to another user.');
  return userId;
}

function seal(secrets: SealedSecrets, pending: PendingSignIn): string {
  return secrets.seal(JSON.stringify({ ...pending, endsAt: Date.now() + maxPendingMs }), owner);
}

function open(secrets: SealedSecrets, sealed: string | null): PendingSignIn | null {
  const text = sealed === null ? null : secrets.open(sealed, owner);
  if (text === null) return null;
  const { endsAt, ...pending }: PendingSignIn & { readonly endsAt: number } = JSON.parse(text);
  return endsAt > Date.now() ? pending : null;
}

function failed(failure: Failure): string {
  return `${page}?sign-in=${failure}`;
}

function redirect(context: Context, location: string): Response {
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(location, 303);
}

function addressOf({ env }: Context<RequestIdEnv>): string {
  // The app is called without `env` if there is no listener, as in tests.
  const origin: RequestIdEnv['Bindings'] | undefined = env;
  return origin?.remoteAddress ?? '';
}
