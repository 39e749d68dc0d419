import { startPostgresServer } from '../../../../src/platform/db/embedded-postgres/postgres-server.js';

// The database process of a platform, to be killed by a test: prints its connection, and stops when its input ends.
const directory = process.argv[2];
const server = await startPostgresServer(directory === undefined ? {} : { directory });
console.log(JSON.stringify(server.connection));
process.stdin.resume().once('end', () => void server.stop().then(() => process.exit(0)));
