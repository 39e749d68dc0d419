import { sendNotification } from 'pa-embed/client';

/**
 * Returns a handler for the mail page: lists the messages to a user, returns their files and sources, and sends the
 * daily report now.
 */
export function mailHandler({ connection, mail, notificationId }) {
  return async (request, response, user) => {
    const [action = '', id = '', index = ''] = new URL(request.url, 'http://host').pathname.split('/').slice(3);
    if (request.method === 'POST' && action === 'send')
      return sendReport(response, { connection, notificationId, user });
    if (request.method !== 'GET') return response.writeHead(405).end();
    const messages = mail.messagesTo(user);
    if (action === '') return sendJson(response, messages.map(describe));
    const message = messages.find(each => each.id === id);
    if (action === 'source' && message)
      return sendFile(response, 'message/rfc822', `${message.id}.eml`, message.source);
    const file = action === 'file' ? message?.files[Number(index)] : undefined;
    if (!file) return response.writeHead(404).end('Not found');
    return sendFile(response, file.type, file.name, file.content);
  };
}

/** Sends the daily report to all tenants, and responds with the delivery state of this user's message. */
async function sendReport(response, { connection, notificationId, user }) {
  try {
    const { deliveries } = await sendNotification(connection, { deploymentId: 1, id: notificationId });
    const own = deliveries.find(({ recipient }) => recipient.email === user);
    return sendJson(response, { state: own?.state ?? null, problem: own?.problem ?? null });
  } catch (error) {
    return sendJson(response, { state: null, problem: error.message });
  }
}

function describe({ id, receivedAt, from, to, subject, text, files }) {
  const listed = files.map(({ type, name }, index) => ({ type, name, url: `/api/mail/file/${id}/${index}` }));
  return { receivedAt, from, to, subject, text, files: listed, source: `/api/mail/source/${id}` };
}

/** Sends a file as a download, unless an image element requests it. */
function sendFile(response, type, name, content) {
  response
    .writeHead(200, {
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'no-store',
    })
    .end(content);
}

function sendJson(response, body) {
  response
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
