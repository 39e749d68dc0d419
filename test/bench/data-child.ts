import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A child process of the benchmark, which receives one message and sends one. */
export interface Child<Answer> {
  readonly answer: Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a file of this folder as a child process and sends it a message. */
export function startChild<Answer>(file: string, message: object): Child<Answer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(message);
  const early = once(child, 'exit').then(() => {
    throw new Error(`${file} exited early.`);
  });
  const answer: Promise<Answer> = Promise.race([once(child, 'message').then(([first]) => first), early]);
  // A caller that stops the process early does not await its response.
  answer.catch(() => undefined);
  return { answer, stop: () => stop(child) };
}

/** Starts a child process, sends it a message, and stops it after its response. */
export async function askChild<Answer>(file: string, message: object): Promise<Answer> {
  const child = startChild<Answer>(file, message);
  try {
    return await child.answer;
  } finally {
    await child.stop();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
