import { join } from 'node:path';
import pg from 'pg';
import {
  type PostgresConnection,
  startPostgresServer,
} from '../../../src/platform/db/embedded-postgres/postgres-server.js';
import { type RaceTrack, raceForPublicId } from '../../platform/content/reports/report-race-rounds.js';
import { raceOnSlug } from '../../platform/content/workbooks/slug-race-rounds.js';
import type { Figure } from '../figures.js';
import type { Host } from './host.js';

const rounds = 1_000;
const workers = 4;

/**
 * Runs two concurrent writers for one name over HTTP: One succeeds, the other gets an error, and no write is partial.
 */
export async function* raceFigures(
  host: Host,
  data: string,
  note: (text: string) => void,
): AsyncGenerator<Figure, void> {
  const server = await startPostgresServer({ directory: join(data, 'postgres') });
  try {
    const track = trackOf(host, server.connection);
    await track.withConnection(client =>
      client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`),
    );
    const races = { slug: raceOnSlug, publicId: raceForPublicId } as const;
    for (const [name, race] of Object.entries(races)) {
      const faults = await run(round => race(track, round));
      for (const fault of faults.slice(0, 5)) note(`platform: ${name}: ${fault}`);
      yield {
        what: `two concurrent writers for one ${name}: rounds that break the rules`,
        measured: `${faults.length} of ${rounds}`,
        aim: '0',
      };
    }
  } finally {
    await server.stop();
  }
}

async function run(race: (round: number) => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let round = next++; round < rounds; round = next++) {
      await race(round).catch((error: unknown) => faults.push(`round ${round}: ${String(error).slice(0, 300)}`));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return faults;
}

function trackOf(host: Host, connection: PostgresConnection): RaceTrack {
  return {
    call: (method, path, body) => host.answer(method, path, body),
    ok: (method, path, body) => host.call(method, path, body),
    async withConnection(work) {
      const client = new pg.Client(connection);
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
  };
}
