import { asc, eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import * as contract from '../../../contract/oidc-token-configs.js';
import type { JsonObject } from '../../../contract/wire.js';
import { publishedKeys, retireSigningKeys, rotateSigningKey, signingAlgorithm } from '../../auth/signing-key-store.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { oidcTokenConfigs } from '../../db/schema.js';
import { notifyVariables } from '../../db/variable-changes.js';
import { PlatformError } from '../../errors.js';
import { notFound, requireManager } from '../../http/access.js';
import { AnswerWithHeaders } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact, write } from '../../http/serve.js';
import { Batcher } from '../../runtime/batcher.js';
import { issueToken } from './issue-token.js';

type Row = typeof oidcTokenConfigs.$inferSelect;
type AudienceType = Row['audienceType'];

const maxClaims = 4_000;
const reservedClaims = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'];
const audiences: Readonly<Record<Exclude<AudienceType, 'custom'>, string>> = {
  aws: 'sts.amazonaws.com',
  azure: 'api://AzureADTokenExchange',
};

/** Mounts the routes for tokens that the platform signs for other services (operations.md, OIDC Token Configs). */
export function mountOidcTokenConfigs(app: Hono, deps: RouteDeps): void {
  mountConfigs(app, deps);
  mountTokens(app, deps);
  mountKeys(app, deps);
}

function mountConfigs(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listOidcTokenConfigs, deps, async ({ principal }) => {
    requireManager(principal);
    return (await db.select().from(oidcTokenConfigs).orderBy(asc(oidcTokenConfigs.id))).map(show);
  });

  serve(app, contract.getOidcTokenConfig, deps, async ({ params, principal }) => {
    requireManager(principal);
    return show(await existing(db, params.id));
  });

  serve(app, contract.createOidcTokenConfig, deps, async ({ body, principal, request }) => {
    requireManager(principal);
    checkClaims(body.customClaims);
    const { audienceType, customAudience, customClaims, subFormat, targetEnvVar } = body;
    const row = {
      name: body.name ?? audienceType,
      audienceType,
      audience: audienceOf(audienceType, customAudience, deps.publicUrl),
      customClaims: customClaims ?? null,
      isEnabled: body.isEnabled ?? true,
      subFormat: subFormat ?? null,
      targetEnvVar: targetEnvVar ?? null,
    };
    const target: JsonObject = {};
    return withUniqueNames(() =>
      transact(db, contract.createOidcTokenConfig.id, { principal, request, target }, async tx => {
        const [created] = await tx.insert(oidcTokenConfigs).values(row).returning();
        if (!created) throw new Error('A configuration was not stored.');
        Object.assign(target, { id: created.id });
        await notifyVariables(tx);
        return show(created);
      }),
    );
  });

  serve(app, contract.updateOidcTokenConfig, deps, async ({ params, body, principal, request }) => {
    requireManager(principal);
    checkClaims(body.customClaims);
    const context = { principal, request, target: { id: params.id } };
    return withUniqueNames(() =>
      transact(db, contract.updateOidcTokenConfig.id, context, async tx => {
        const stored = await existing(tx, params.id);
        const { customAudience, name, isEnabled, ...rest } = body;
        const changed = {
          ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
          ...(name != null && { name }),
          ...(isEnabled !== undefined && { isEnabled: isEnabled ?? true }),
          ...(customAudience !== undefined && {
            audience: audienceOf(stored.audienceType, customAudience, deps.publicUrl),
          }),
          updatedAt: sql`now()`,
        };
        await tx.update(oidcTokenConfigs).set(changed).where(eq(oidcTokenConfigs.id, params.id));
        await notifyVariables(tx);
        return show(await existing(tx, params.id));
      }),
    );
  });

  write(app, contract.deleteOidcTokenConfig, deps, async ({ params, principal }, tx) => {
    requireManager(principal);
    await existing(tx, params.id);
    await tx.delete(oidcTokenConfigs).where(eq(oidcTokenConfigs.id, params.id));
    await notifyVariables(tx);
    return undefined;
  });
}

function mountTokens(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;
  const issuer = new URL(deps.publicUrl).origin;

  serve(app, contract.createOidcToken, deps, async ({ params, principal, request }) => {
    requireManager(principal);
    const config = await existing(db, params.id);
    if (!config.isEnabled) throw new PlatformError(409, 'The configuration is disabled. Set isEnabled to true.');
    // Sign before the transaction, because the transaction may wait for other writes.
    const issued = await issueToken(db, sealedSecrets, issuer, { config, component: 'api' });
    const context = { principal, request, target: { id: params.id } };
    return transact(db, contract.createOidcToken.id, context, async () => ({
      token: issued.token,
      expiresAt: issued.expiresAt.toISOString(),
    }));
  });
}

function mountKeys(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;
  const issuer = new URL(deps.publicUrl).origin;
  // Short, because services must not accept tokens of a retired key for long.
  const headers = { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' };

  // Requests for the keys need no authentication, so concurrent requests share a statement. Do not cache the keys,
  // because a cache would publish retired keys.
  const readings = new Batcher<null, JsonObject[]>(async requests => {
    const keys = await publishedKeys(db);
    return requests.map(() => keys);
  });

  write(app, contract.rotateOidcSigningKey, deps, async ({ body, principal }, tx, target) => {
    requireManager(principal);
    const replace = body.retirePrevious === true ? retireSigningKeys : rotateSigningKey;
    const { kid, signsFrom } = await replace(tx, sealedSecrets);
    target.kid = kid;
    if (body.retirePrevious === true) {
      target.retirePrevious = true;
      // Data sources get tokens of the new key.
      await notifyVariables(tx);
    }
    return { kid, signsFrom: signsFrom.toISOString() };
  });

  serve(app, contract.getJwks, deps, async () => new AnswerWithHeaders({ keys: await readings.add(null) }, headers));

  serve(app, contract.getIssuerMetadata, deps, async () => {
    const metadata = {
      issuer,
      jwks_uri: `${issuer}${contract.getJwks.path}`,
      id_token_signing_alg_values_supported: [signingAlgorithm],
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      claims_supported: ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
    };
    return new AnswerWithHeaders(metadata, headers);
  });
}

/**
 * Returns the audience of tokens.
 * @throws PlatformError 400 unless `customAudience` is sent for the type `custom`, and only for it.
 */
function audienceOf(type: AudienceType, custom: string | null | undefined, publicUrl: string): string {
  if (type !== 'custom') {
    if (custom == null) return audiences[type];
    throw new PlatformError(400, 'body.customAudience: is allowed only with the audienceType custom');
  }
  if (custom == null) throw new PlatformError(400, 'body.customAudience: is required with the audienceType custom');
  // A service that receives such a token could otherwise use it at the platform.
  if (custom.replace(/\/+$/, '') === new URL(publicUrl).origin) {
    throw new PlatformError(400, 'body.customAudience: must identify another service, not this platform');
  }
  return custom;
}

/**
 * Checks the claims that a configuration adds.
 * @throws PlatformError 400 for claims that the platform sets, also in another case or with compatible characters,
 * because some services ignore such differences and would use the last claim.
 */
function checkClaims(claims: JsonObject | null | undefined): void {
  const isReserved = (name: string) => reservedClaims.includes(name.normalize('NFKC').toLowerCase());
  const reserved = Object.keys(claims ?? {}).find(name => isReserved(name) || name === '__proto__');
  if (reserved !== undefined) throw new PlatformError(400, `body.customClaims.${reserved}: is set by the platform`);
  const size = JSON.stringify(claims ?? {}).length;
  if (size <= maxClaims) return;
  throw new PlatformError(400, `body.customClaims: has ${size} characters; the limit is ${maxClaims}`);
}

async function withUniqueNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseCode(error) !== DatabaseCode.uniqueViolation) throw error;
    throw new PlatformError(409, 'Another configuration has this name or targetEnvVar.', { cause: error });
  }
}

async function existing(db: Db, id: number): Promise<Row> {
  const [config] = await db.select().from(oidcTokenConfigs).where(eq(oidcTokenConfigs.id, id));
  if (!config) throw notFound('OIDC token configuration');
  return config;
}

function show({ createdAt, updatedAt, ...config }: Row): contract.OidcTokenConfig {
  return { ...config, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
