declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** The part of the provider that the tests use; the package contains no types. */
  export default class Provider {
    readonly Grant: new (
      grant: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): this;
  }
}
