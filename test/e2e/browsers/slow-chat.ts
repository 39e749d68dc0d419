import { createDataFolder, removeDataFolder, servePlatform, startHost } from '../own-platform.js';
import { startSlowModel } from '../slow-model.js';

const adminKey = 'slow-chat-admin-key-slow-chat-admin-key';

/** Starts the demo host with a separate platform whose chat model pauses after the first words. */
export async function startSlowChat(): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const [data, model, host] = await Promise.all([createDataFolder(), startSlowModel(), startHost(adminKey)]);
  const env = { PA_LLM_BASE_URL: model.baseUrl, PA_LLM_MODEL: 'slow' };
  const platform = await servePlatform({ data, adminKey, host, env });
  host.open({ platformUrl: platform.url, dashboards: {} });
  return {
    origin: host.origin,
    stop: async () => {
      await platform.end();
      await host.close();
      await model.stop();
      await removeDataFolder(data);
    },
  };
}
