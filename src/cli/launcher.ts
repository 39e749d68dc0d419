import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessInfo {
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

const npmCommand = /^(npm|npx)\b|\/(npm|npx)-cli\.js\b/;
const checkMs = 500;

/**
 * Calls `onEnd` once when the npm or npx that started this process, or a process between the two, has ended. npm
 * forwards SIGTERM to its shell and does not forward SIGHUP, so neither signal reaches the command that the shell runs.
 * Does nothing if this process leads a process group (`setsid`), or if npm had already ended.
 * @returns a function that stops watching.
 */
export function watchLauncher(onEnd: () => void): () => void {
  const launchers = process.env.npm_command === undefined ? [] : findLaunchers();
  if (launchers.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === launchers[0] && launchers.every(isAlive)) return;
    clearInterval(timer);
    onEnd();
  }, checkMs).unref();
  return () => clearInterval(timer);
}

/** Returns the ids of the ancestors from the parent up to npm; empty if npm is not among them. */
export function findLaunchers(): readonly number[] {
  if (readProcess(process.pid)?.group === process.pid) return [];
  const launchers: number[] = [];
  for (let pid = process.ppid; pid > 1; ) {
    launchers.push(pid);
    const info = readProcess(pid);
    if (info === null) return [];
    if (npmCommand.test(info.command)) return launchers;
    pid = info.parent;
  }
  return [];
}

function readProcess(pid: number): ProcessInfo | null {
  try {
    return process.platform === 'linux' ? readProc(pid) : readPs(pid);
  } catch {
    return null;
  }
}

function readProc(pid: number): ProcessInfo {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process is in parentheses and may contain any character, so start after the last parenthesis.
  const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  return { parent: Number(parent), group: Number(group), command };
}

function readPs(pid: number): ProcessInfo | null {
  const text = execFileSync('ps', ['-o', 'ppid=,pgid=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const [, parent, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(text) ?? [];
  return parent === undefined ? null : { parent: Number(parent), group: Number(group), command };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
