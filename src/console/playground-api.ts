import { generatedSql, type QuerySql } from '../client/data/generated-sql.js';
import { listUserAttributes } from '../client/operations/account.js';
import { listDeployments } from '../client/operations/deployments.js';
import { revokeSession } from '../client/operations/embed.js';
import { generateSession } from '../client/operations/embed-sessions.js';
import { createEnvironmentToken, listEnvironments } from '../client/operations/environments.js';
import { createSessionSource } from '../client/session/session-source.js';
import type { SessionSource } from '../client/session/session-status.js';
import type { Deployment } from '../contract/deployments.js';
import type { Query } from '../contract/query.js';
import type { UserAttribute } from '../contract/user-attributes.js';
import { type Audience, toGrant } from './audience.js';

/** Base URL and Data API path of the platform that serves the page. */
export interface PlatformAddress {
  readonly baseUrl: string;
  readonly dataApiPath: string;
}

/** The session of an audience. */
export interface AudienceSession {
  readonly source: SessionSource;
  /** Ends the session and revokes it. */
  end(): void;
}

/**
 * Operations of the playground that use an API key. The key is only in closures: never in a property, an attribute, a
 * URL or browser storage.
 */
export interface PlaygroundApi {
  readonly deployments: readonly Deployment[];
  /** User attributes of the account; access policies can use their values. */
  readonly attributes: readonly UserAttribute[];
  openSession(deploymentId: number, audience: Audience): AudienceSession;
  /**
   * Returns the SQL of a query with the row filters of a security context. Groups and user attributes of the audience
   * do not apply, because the token of a security context has none.
   */
  sql(deploymentId: number, audience: Audience, query: Query, signal: AbortSignal): Promise<QuerySql>;
}

/**
 * Signs in with an API key.
 * @throws {PaError} 401 if the platform does not accept the key, 403 if it does not belong to an admin.
 */
export async function signIn({ baseUrl, dataApiPath }: PlatformAddress, key: string): Promise<PlaygroundApi> {
  const connection = { baseUrl, token: key };
  const [{ items: deployments }, { items: attributes }] = await Promise.all([
    listDeployments(connection),
    listUserAttributes(connection),
  ]);
  const sqlTokens = new Map<string, Promise<string>>();
  const createSqlToken = async (deploymentId: number, audience: Audience): Promise<string> => {
    const { items } = await listEnvironments(connection, deploymentId);
    const params = { deploymentId, environmentId: Number(items[0]?.id) };
    const body = { security_context: audience.securityContext, scopes: ['data' as const, 'sql' as const] };
    return (await createEnvironmentToken(connection, params, body)).token;
  };
  return {
    deployments,
    attributes,
    openSession(deploymentId, audience) {
      const created = new Set<string>();
      let isEnded = false;
      // If revoking fails, the session expires by itself.
      const revoke = (id: string) => revokeSession(connection, id).catch(() => {});
      const session = async (): Promise<string> => {
        const { sessionId } = await generateSession(connection, toGrant(audience, deploymentId, attributes));
        created.add(sessionId);
        if (isEnded) void revoke(sessionId);
        return sessionId;
      };
      const source = createSessionSource({ baseUrl, dataApiPath, session });
      void source.start();
      return {
        source,
        end() {
          isEnded = true;
          source.dispose();
          for (const id of created) void revoke(id);
        },
      };
    },
    async sql(deploymentId, audience, query, signal) {
      const identity = JSON.stringify([deploymentId, audience.securityContext]);
      const token = sqlTokens.get(identity) ?? createSqlToken(deploymentId, audience);
      sqlTokens.set(identity, token);
      try {
        return await generatedSql({ baseUrl: baseUrl + dataApiPath, token: await token }, query, { signal });
      } catch (error) {
        // The next query requests another token, because this one may have expired.
        sqlTokens.delete(identity);
        throw error;
      }
    },
  };
}
