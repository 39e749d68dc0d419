import { Agent, request } from 'node:http';
import { type DataClient, loadPath } from './data-client.js';
import { dashboard } from './data-queries.js';

const batchPath = `${loadPath}-batch`;

/** Results of dashboards that are opened at the same time. */
export interface OpenedDashboards {
  /** Time until a dashboard had the rows of all its tiles, for each dashboard, in ms. */
  readonly lastRowsMs: readonly number[];
  /** The status of each response without rows, or the reason of each failed request. */
  readonly errors: readonly string[];
}

/**
 * Opens dashboards at the same time, `perTenant` for each token. As in a page, one request contains the queries of all
 * tiles, and queries that are still running when the service responds are sent again.
 */
export async function openDashboards(
  client: DataClient,
  platformUrl: string,
  { tokens, perTenant }: { readonly tokens: readonly string[]; readonly perTenant: number },
): Promise<OpenedDashboards> {
  const agent = new Agent({ keepAlive: true, noDelay: true });
  const errors: string[] = [];
  const open = async (token: string): Promise<number> => {
    const begin = performance.now();
    try {
      for (const line of await sendBatch(new URL(batchPath, platformUrl), agent, token)) {
        const { index, status, body } = JSON.parse(line);
        const query = dashboard[index];
        const isRunning = body?.error === 'Continue wait';
        const final = isRunning && query ? (await client.load({ token, query, fresh: false })).status : status;
        if (final !== 200) errors.push(String(final));
      }
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
    return performance.now() - begin;
  };
  const opened = tokens.flatMap(token => Array.from({ length: perTenant }, () => token));
  const lastRowsMs = await Promise.all(opened.map(open));
  agent.destroy();
  return { lastRowsMs, errors };
}

/** Sends the queries of a dashboard and returns the lines of the response. */
function sendBatch(url: URL, agent: Agent, token: string): Promise<readonly string[]> {
  const body = JSON.stringify({ requests: dashboard.map(query => ({ query })) });
  const headers = { authorization: token, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
        if (lines.length === dashboard.length) resolve(lines);
        else reject(new Error(`A batch returned ${response.statusCode} with ${lines.length} lines.`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
