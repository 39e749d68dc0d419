/** A platform to sign in to. `fetch` defaults to HTTP. */
interface PlatformAccess {
  readonly url: string;
  readonly adminKey: string;
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface TestEmbedSession {
  readonly sessionId: string;
  /** Embed token. */
  readonly token: string;
  /** Data token of deployment 1. */
  readonly platformApiToken: string;
}

/** Signs in to deployment 1 like a host and its page: session, embed token, data token. */
export async function openEmbedSession(
  { url, adminKey, fetch = globalThis.fetch }: PlatformAccess,
  grant: { readonly externalId: string; readonly embedTenantName?: string; readonly securityContext: object },
): Promise<TestEmbedSession> {
  const post = async (path: string, body: object, authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
    const response = await fetch(new Request(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
    return response.json();
  };
  const fullGrant = { deploymentId: 1, ...grant };
  const { sessionId } = await post('/api/v1/embed/generate-session', fullGrant, `Api-Key ${adminKey}`);
  const { token } = await post('/api/v1/embed/session/token', { sessionId });
  const { platformApiToken } = await post('/api/v1/deployments/1/token', {}, `Embed-Token ${token}`);
  return { sessionId, token, platformApiToken };
}
