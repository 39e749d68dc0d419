import { type EngineOperations, type EngineReply, type EngineRequest, toWireError } from './engine-protocol.js';
import { EngineServer } from './engine-server.js';

// Entry point of the engine process. The engine runs in a separate process, because native code that ignores an
// interrupt can only be stopped by killing its process.

const reply = (message: EngineReply): void => {
  if (process.connected) process.send?.(message);
};

// Use `setImmediate` to send the error of the statement first.
const server: EngineOperations = new EngineServer(() => setImmediate(reply, { kind: 'unresponsive' }));

process.on('message', ({ id, operation, input }: EngineRequest) => {
  const work = server[operation].bind(server) as (input: unknown) => Promise<unknown>;
  work(input).then(
    value => reply({ kind: 'result', id, value }),
    (error: unknown) => reply({ kind: 'error', id, error: toWireError(error) }),
  );
});

// The parent has exited. Kill the process, because `process.exit` would wait for native code.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// Ignore signals that a terminal sends to the whole process group. The parent decides when this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
