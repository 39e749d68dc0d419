import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../src/contract/wire.js';

/** Starts a service on loopback with one read-only tool, `lookup`. It checks the token of every request. */
export async function startToolService(accepts: (token: string) => Promise<boolean>) {
  const inputSchema = fromJsonSchema<JsonObject>({ type: 'object', additionalProperties: true });
  const handler = createMcpHandler(() => {
    const service = new McpServer({ name: 'crm', version: '1.0.0' });
    const description = { description: 'Finds the owner.', inputSchema, annotations: { readOnlyHint: true } };
    service.registerTool('lookup', description, () => ({ content: [{ type: 'text', text: 'Owner: Bea' }] }));
    return service;
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
    if (!(await accepts(token))) return response.writeHead(401).end();
    const request = new Request(url, { method: incoming.method ?? 'GET', headers, body: Buffer.concat(chunks) });
    const sent = await handler.fetch(request);
    response.writeHead(sent.status, Object.fromEntries(sent.headers));
    return response.end(Buffer.from(await sent.arrayBuffer()));
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
  return {
    url,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
