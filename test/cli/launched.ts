import { findLaunchers, watchLauncher } from '../../src/cli/launcher.js';

// Command for npm to start: prints its launchers, and runs until one of them ends.

const running = setInterval(() => undefined, 60_000);
watchLauncher(() => clearInterval(running));
process.on('SIGHUP', () => undefined);
console.log(JSON.stringify({ pid: process.pid, launchers: findLaunchers().length }));
