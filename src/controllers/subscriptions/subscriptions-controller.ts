import type { ReactiveControllerHost } from 'lit';
import * as subscriptions from '../../client/operations/embed-subscriptions.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { CreateDashboardSubscription, DashboardSubscription } from '../../contract/embed-subscriptions.js';
import { type ModelFacts, modelFacts } from '../../report/controls/model-facts.js';
import { LoadController } from '../load-controller.js';

/** A viewer's subscriptions to a dashboard. */
export interface LoadedSubscriptions {
  /** The address that receives them; `null` if the viewer has none. */
  readonly email: string | null;
  readonly items: readonly DashboardSubscription[];
}

interface SubscriptionsOptions {
  readonly source: () => SessionSource | null;
  /** Public id of the dashboard; if `null`, nothing is loaded. */
  readonly publicId: () => string | null;
}

const waitSeconds = 60;

/** Loads the viewer's subscriptions to a dashboard, and adds, sends and ends them. */
export class SubscriptionsController extends LoadController<string, LoadedSubscriptions> {
  readonly #host: ReactiveControllerHost;
  readonly #options: SubscriptionsOptions;
  #model: ModelFacts | null = null;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: SubscriptionsOptions) {
    super(host, {
      source: options.source,
      key: options.publicId,
      load: async (session, publicId, signal) => {
        const { email = null, items } = await session.authorize(connection =>
          subscriptions.listDashboardSubscriptions(connection, publicId, { signal }),
        );
        if (items.some(({ filters }) => filters?.length)) void this.#readModel(session, signal);
        return { email, items };
      },
    });
    this.#host = host;
    this.#options = options;
  }

  /** The model, which names the members of filters; `null` until it is loaded. */
  get model(): ModelFacts | null {
    return this.#model;
  }

  /** Subscribes to the dashboard. Rejects with PaError. */
  async add(body: CreateDashboardSubscription): Promise<void> {
    const [session, publicId] = [this.#options.source(), this.#options.publicId()];
    if (!session || publicId === null) return;
    await session.authorize(connection => subscriptions.createDashboardSubscription(connection, publicId, body));
    await this.reload();
  }

  /** Ends a subscription. Rejects with PaError. */
  async end(id: number): Promise<void> {
    const [session, publicId] = [this.#options.source(), this.#options.publicId()];
    if (!session || publicId === null) return;
    await session.authorize(connection => subscriptions.deleteDashboardSubscription(connection, { publicId, id }));
    await this.reload();
  }

  /** Sends a subscription now and returns the state of the message. Rejects with PaError. */
  async send(id: number): Promise<string> {
    const [session, publicId] = [this.#options.source(), this.#options.publicId()];
    if (!session || publicId === null) return 'canceled';
    const { state } = await session.authorize(connection =>
      // A second request within a minute is rejected, so retrying is pointless.
      subscriptions.sendDashboardSubscription(
        connection,
        { publicId, id },
        { waitSeconds },
        { retries: 0, timeoutMs: 90_000 },
      ),
    );
    return state;
  }

  async #readModel(session: SessionSource, signal: AbortSignal): Promise<void> {
    try {
      this.#model = modelFacts(await session.meta({ signal }));
      this.#host.requestUpdate();
    } catch {
      // If the model cannot be loaded, filters are listed with the names of their members.
    }
  }
}
