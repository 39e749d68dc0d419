import type { Answer } from '../../platform/test-platform.js';
import type { RunningPlatform } from '../data-platform.js';

/** A minimal host back end: calls the Platform API with the admin's key. */
export class Host {
  readonly url: string;
  readonly #adminKey: string;

  constructor({ url, adminKey }: Pick<RunningPlatform, 'url' | 'adminKey'>) {
    this.url = url;
    this.#adminKey = adminKey;
  }

  /** Calls an operation. @throws Error if it fails */
  async call(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.answer(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status}.`);
    return answer.body;
  }

  /** Calls an operation and returns its response. */
  async answer(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#adminKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Returns the HTTP request that mints a session of a tenant's user. */
  mintText(tenant: string, externalId: string): string {
    const body = JSON.stringify({
      deploymentId: 1,
      externalId,
      embedTenantName: tenant,
      email: `${externalId}@${tenant}.example`,
      securityContext: { tenant },
    });
    const authorization = `authorization: Bearer ${this.#adminKey}`;
    return requestText('POST', '/api/v1/embed/generate-session', this.url, body, authorization);
  }

  /** Returns an embed token of a tenant's user. */
  async embedToken(tenant: string, externalId: string): Promise<string> {
    const grant = { deploymentId: 1, externalId, embedTenantName: tenant, securityContext: { tenant } };
    const { sessionId } = await this.call('POST', '/api/v1/embed/generate-session', grant);
    const { token } = await this.call('POST', '/api/v1/embed/session/token', { sessionId });
    return String(token);
  }
}

/** Returns a complete HTTP request with head and body for the load generators. */
export function requestText(method: string, path: string, url: string, body: string, authorization?: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...(authorization === undefined ? [] : [authorization]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
}
