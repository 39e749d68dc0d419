/** How long a signal may take to end the process, in milliseconds. */
const maxSignalMs = 500;

/**
 * Ends the process by a signal, whatever runs in it. `process.exit` waits for native code on the threads of Node, which may never
 * return. Nothing is given back.
 */
export function endProcess(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container does not receive a signal without a handler.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxSignalMs);
  process.abort();
}
