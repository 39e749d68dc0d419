import { type EngineOperations, type EngineReply, type EngineRequest, toWireError } from './engine-protocol.js';
import { EngineServer } from './engine-server.js';

// Runs the engine in a separate process: native code that ignores an interrupt can only be stopped with its process.

const reply = (message: EngineReply): void => {
  if (process.connected) process.send?.(message);
};

// `setImmediate` sends the error of the statement first.
const server: EngineOperations = new EngineServer(() => setImmediate(reply, { kind: 'unresponsive' }));

process.on('message', ({ id, operation, input }: EngineRequest) => {
  const work = server[operation].bind(server) as (input: unknown) => Promise<unknown>;
  work(input).then(
    value => reply({ kind: 'result', id, value }),
    (error: unknown) => reply({ kind: 'error', id, error: toWireError(error) }),
  );
});

// The parent has exited. `process.exit` would wait for native code.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// Terminals signal the whole process group; the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
