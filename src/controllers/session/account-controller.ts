import type { ReactiveControllerHost } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import { LoadController, loadedValue } from '../load-controller.js';
import type { SessionSource } from './session-context.js';

/** Loads the account's configuration without blocking anything. */
export class AccountController extends LoadController<'account', { readonly config: AppConfig | null }> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, source: () => SessionSource | null) {
    super(host, {
      source,
      key: () => 'account',
      load: async (session, _key, signal) => ({ config: await session.appConfig({ signal }) }),
    });
  }

  /** The configuration; `null` until it is loaded, or if loading failed. */
  get config(): AppConfig | null {
    return loadedValue(this.state)?.config ?? null;
  }
}
