import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A language model on 127.0.0.1 that pauses after the first words of an answer until released. */
export interface SlowModel {
  readonly baseUrl: string;
  /** Number of started answers. */
  readonly startedCount: number;
  /** Completes all answers from now on. */
  release(): void;
  /** Pauses all answers from now on. */
  hold(): void;
  stop(): Promise<void>;
}

/** The answer of the model, in pieces. */
export const slowAnswer = ['The first half ', 'of the answer, ', 'and **the second**.'];

/** Starts the model on a free port with the streamed chat completions protocol of OpenAI. */
export async function startSlowModel(): Promise<SlowModel> {
  let startedCount = 0;
  let isReleased = false;
  const open = new Set<() => void>();
  const answer = async (response: ServerResponse): Promise<void> => {
    startedCount += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    sendDelta(response, { role: 'assistant', content: slowAnswer[0] });
    if (!isReleased) await new Promise<void>(resolve => open.add(resolve));
    for (const content of slowAnswer.slice(1)) sendDelta(response, { content });
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => {
    request.resume();
    void answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    get startedCount() {
      return startedCount;
    },
    release() {
      isReleased = true;
      for (const go of open) go();
    },
    hold() {
      isReleased = false;
      open.clear();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendDelta(response: ServerResponse, delta: object): void {
  const choices = [{ index: 0, delta, finish_reason: null }];
  response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'slow', choices })}\n\n`);
}
