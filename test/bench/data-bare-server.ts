import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

// A separate process with the minimal work of this stack per response: reads a request and returns stored bytes.

/** Response bodies by path. */
export type BareAnswers = readonly (readonly [path: string, body: string])[];

process.once('message', (answers: BareAnswers) => {
  const app = new Hono();
  for (const [path, body] of answers) {
    app.post(path, async context => {
      await context.req.text();
      return context.body(body, 200, { 'content-type': 'application/json' });
    });
  }
  const listener = getRequestListener(request => app.fetch(request), { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  server.listen({ host: '127.0.0.1', port: 0 }, () => process.send?.(server.address()));
  process.once('disconnect', () => process.exit());
});
