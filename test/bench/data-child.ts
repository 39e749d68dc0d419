import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench: it is told one thing, and tells one thing. */
export interface Child<Answer> {
  readonly answer: Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a file of this folder as a process of its own and tells it what to do. */
export function startChild<Answer>(file: string, message: object): Child<Answer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(message);
  const early = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before its time.`);
  });
  const answer: Promise<Answer> = Promise.race([once(child, 'message').then(([first]) => first), early]);
  // Whoever stops it early doesn't ask any more.
  answer.catch(() => undefined);
  return { answer, stop: () => stop(child) };
}

/** Tells a process of its own what to do, and ends it when it has answered. */
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
