import { type EngineOperations, type EngineReply, type EngineRequest, toWireError } from './engine-protocol.js';
import { EngineServer } from './engine-server.js';

// The engine in a process of its own: native code that does not react to an interrupt ends only with its process.

const reply = (message: EngineReply): void => {
  if (process.connected) process.send?.(message);
};

// The error of the statement goes first.
const server: EngineOperations = new EngineServer(() => setImmediate(reply, { kind: 'unresponsive' }));

process.on('message', ({ id, operation, input }: EngineRequest) => {
  const work = server[operation].bind(server) as (input: unknown) => Promise<unknown>;
  work(input).then(
    value => reply({ kind: 'result', id, value }),
    (error: unknown) => reply({ kind: 'error', id, error: toWireError(error) }),
  );
});

// The parent is gone. `process.exit` would wait for native code.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// Signals of a terminal reach the whole group: the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
