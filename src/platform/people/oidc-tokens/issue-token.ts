import { randomUUID } from 'node:crypto';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import { signIssuedToken } from '../../auth/signing-key-store.js';
import type { Db } from '../../db/database.js';
import type { oidcTokenConfigs } from '../../db/schema.js';

const tokenSeconds = 60 * 60;
const defaultSub = 'deployment:{deployment_id}:{component}';
/** The deployment whose data source the platform opens, and its region. */
const placeholders: Readonly<Record<string, string>> = { deployment_id: '1', region: 'local' };

/** A signed token. */
export interface IssuedToken {
  readonly token: string;
  /** Key that signed it. */
  readonly kid: string;
  readonly expiresAt: Date;
}

/** Signs a token of a configuration. It is valid for an hour. */
export async function issueToken(
  db: Db,
  secrets: SealedSecrets,
  issuer: string,
  {
    config,
    component,
  }: { readonly config: typeof oidcTokenConfigs.$inferSelect; readonly component: 'agent' | 'api' | 'data-source' },
): Promise<IssuedToken> {
  const now = Math.floor(Date.now() / 1000);
  const subject = (config.subFormat ?? defaultSub).replace(
    /\{(\w+)\}/g,
    (_, name: string) => ({ ...placeholders, component })[name] ?? '',
  );
  const signed = await signIssuedToken(db, secrets, {
    ...config.customClaims,
    iss: issuer,
    sub: subject,
    aud: config.audience,
    iat: now,
    nbf: now,
    exp: now + tokenSeconds,
    jti: randomUUID(),
  });
  return { ...signed, expiresAt: new Date((now + tokenSeconds) * 1000) };
}
