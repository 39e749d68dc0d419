import { parseArgs } from 'node:util';
import { isLoopback } from '../contract/loopback.js';
import { UsageError } from './usage-error.js';

/** Where something listens; port 0 picks a free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What `pa-platform serve` was asked for. */
export interface ServeOptions {
  readonly address: Address;
  /** `null` without `--ops-port`: then there is no ops listener. */
  readonly ops: Address | null;
  readonly dataDirectory: string | undefined;
  readonly modelDirectory: string | undefined;
  readonly sourcesDirectory: string | undefined;
  readonly dataApiPath: string;
  readonly publicUrl: string | undefined;
  readonly allowOrigins: readonly string[];
  readonly groups: readonly string[];
  readonly demo: boolean;
}

/** Text of `pa-platform serve --help`. */
export const serveHelp = `Starts the platform, and says "pa-platform listening on <url>" when it is ready.

  pa-platform serve [options]

  --host HOST           address to listen on (127.0.0.1); loopback alone, because it is plain HTTP
  --port N              port to listen on (4100); 0 picks a free one
  --data DIR            folder of database, keys and imported data; without it all of that ends with the process
  --model DIR           folder of the semantic model (YAML)
  --sources DIR         folder of the data; flights.parquet is the table flights
  --data-api-path PATH  base path of the Data API (/data-api)
  --public-url URL      where the platform is reached, when that is not where it listens
  --allow-origin O      origin whose pages may call, like https://app.example.com; may be repeated
  --group NAME          account group to create; may be repeated
  --ops-host HOST       address of the ops listener (127.0.0.1)
  --ops-port N          port of the ops listener (/livez, /readyz); without it there is none
  --demo                for trying out: keeps a key for the admin in a temporary file when there is no --data
  --help                this text

Environment
  PA_ADMIN_KEY          API key of the admin; without it one is kept in <data>/admin-key
  PA_SECRET_KEY         secret that the keys of tokens derive from; without it one is kept in <data>/secret-key`;

const flags = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '4100' },
  data: { type: 'string' },
  model: { type: 'string' },
  sources: { type: 'string' },
  'data-api-path': { type: 'string', default: '/data-api' },
  'public-url': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  group: { type: 'string', multiple: true },
  'ops-host': { type: 'string', default: '127.0.0.1' },
  'ops-port': { type: 'string' },
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow `serve`; `null` asks for the help text.
 * @throws UsageError
 */
export function readServeOptions(args: readonly string[]): ServeOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    address: readAddress('host', values.host, 'port', values.port),
    ops:
      values['ops-port'] === undefined
        ? null
        : readAddress('ops-host', values['ops-host'], 'ops-port', values['ops-port']),
    dataDirectory: values.data,
    modelDirectory: values.model,
    sourcesDirectory: values.sources,
    dataApiPath: values['data-api-path'],
    publicUrl: values['public-url'],
    allowOrigins: values['allow-origin'] ?? [],
    groups: values.group ?? [],
    demo: values.demo,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's texts go on with advice for cases that aren't ours.
    const [sentence = ''] = error.message.split(/\.?(?:\n|$)|\. /);
    throw new UsageError(`${sentence}: see pa-platform serve --help.`);
  }
}

function readAddress(hostFlag: string, host: string, portFlag: string, port: string): Address {
  if (!isLoopback(host)) {
    throw new UsageError(
      `--${hostFlag} must be of loopback, like 127.0.0.1: anything else would be served plain HTTP.`,
    );
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--${portFlag} must be a number from 0 to 65535.`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
