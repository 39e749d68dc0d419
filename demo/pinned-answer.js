import {
  createSessionSource,
  getDashboard,
  listAiWidgets,
  newMessageId,
  openChat,
  request,
  runTurn,
  updatePublishedDashboardAiWidgetThread,
} from 'pa-embed/client';
import {
  createUserAttribute,
  getUserAttributes,
  getUserAttributeValues,
  listApiKeys,
  updateAppConfig,
  upsertUserAttributeValue,
} from 'pa-embed/contract';
import { createEmbedSession } from 'pa-embed/node';
import { analyst, tenants } from './host/tenants.js';

const question = 'Average delay by month and time of day without night in the first half of 2001';

/** Lets the analyst see the flights of all tenants. The model compares airports with this user attribute. */
export async function allowAnalyst({ platformUrl, adminKey }) {
  const call = (operation, input) =>
    request(operation, { baseUrl: platformUrl, authorization: `Api-Key ${adminKey}`, ...input });
  const name = 'airports';
  const { items } = await call(getUserAttributes, { query: { name } });
  const attribute = items[0] ?? (await call(createUserAttribute, { body: { name, type: 'string_array' } }));
  const keys = await call(listApiKeys, {});
  const { id: userId } = keys.items.map(({ user }) => user).find(({ username }) => username === analyst.user);
  const values = await call(getUserAttributeValues, { params: { userId } });
  if (values.some(value => value.name === name)) return;
  const value = tenants.map(({ airport }) => airport);
  await call(upsertUserAttributeValue, { body: { userAttributeId: attribute.id, userId, value } });
}

/** Allows the users of a tenant to comment on dashboards. */
export async function allowComments({ platformUrl, adminKey }) {
  await request(updateAppConfig, {
    baseUrl: platformUrl,
    authorization: `Api-Key ${adminKey}`,
    body: { embedding: { enableDashboardComments: true } },
  });
}

/** Sends a question as the analyst and pins the answer to the empty AI widgets of a dashboard. */
export async function pinAnswer({ platformUrl, adminKey, publicId }) {
  const connection = { baseUrl: platformUrl, apiKey: adminKey };
  const session = async () =>
    (await createEmbedSession(connection, { deploymentId: 1, internalId: analyst.user })).sessionId;
  const source = createSessionSource({ baseUrl: platformUrl, session });
  try {
    const { items } = await source.authorize(platform => listAiWidgets(platform, publicId));
    const empty = items.filter(({ state }) => state === 'empty');
    if (empty.length === 0) return;
    const threadId = await ask(openChat({ source, account: 'local', agentId: 1 }));
    const { deploymentId, workbookId } = await source.authorize(platform => getDashboard(platform, publicId));
    for (const { widgetId } of empty) {
      await source.authorize(platform =>
        updatePublishedDashboardAiWidgetThread(platform, { deploymentId, workbookId }, { widgetId, threadId }),
      );
    }
  } finally {
    source.dispose();
  }
}

/** Returns the id of the thread. */
async function ask(chat) {
  let threadId = '';
  const onFrames = frames => {
    for (const { state } of frames) threadId = state?.chatId ?? threadId;
  };
  const observer = { onOpen() {}, onFrames, onStatus() {} };
  await runTurn(chat, { chatId: null, messageId: newMessageId(null), input: question }, observer).done;
  return threadId;
}
