import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { RequestOrigin } from '../../platform/http/request-id.js';
import { UsageError } from '../command.js';

/** Tells the addresses of proxies whose `X-Forwarded-*` headers count. */
export type TrustedProxies = (address: string) => boolean;

/** What of a request tells where it comes from. */
type Arrival = Pick<IncomingMessage, 'headers' | 'url'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Reads networks like `10.0.0.0/8` or `fd00::/8`, or single addresses; null for none.
 * @throws UsageError
 */
export function readTrustedProxies(networks: readonly string[]): TrustedProxies | null {
  if (networks.length === 0) return null;
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return address => {
    const plain = plainAddress(address);
    return plain !== null && list.check(plain, familyOf(plain));
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits, ...rest] = network.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (isIP(address) === 0 || rest.length > 0 || !(prefix <= most)) {
    throw new UsageError('--trust-proxy must be an address or a network like 10.0.0.0/8.');
  }
  list.addSubnet(address, prefix, familyOf(address));
}

/**
 * Where a request comes from. What `X-Forwarded-For`, `-Proto` and `-Host` say counts only where it is a trusted proxy that is
 * connected: then the address is the last one in the row that is not a proxy's own, and of the others the value that stands last,
 * which the proxy itself has written.
 */
export function originOf({ headers, socket, url }: Arrival, trusted: TrustedProxies | null): RequestOrigin {
  const { remoteAddress } = socket;
  if (trusted === null || remoteAddress === undefined || !trusted(remoteAddress)) return { remoteAddress, url };
  const host = lastOf(headers['x-forwarded-host']);
  const scheme = lastOf(headers['x-forwarded-proto'])?.toLowerCase();
  return {
    url,
    remoteAddress: callerOf(remoteAddress, valuesOf(headers['x-forwarded-for']), trusted),
    ...(host !== undefined && { host }),
    ...(scheme !== undefined && { scheme }),
  };
}

function callerOf(peer: string, row: readonly string[], trusted: TrustedProxies): string {
  let caller = peer;
  for (const value of row.toReversed()) {
    const address = plainAddress(value);
    // What is no address was written by nobody who is to be trusted.
    if (address === null) return caller;
    caller = address;
    if (!trusted(caller)) return caller;
  }
  return caller;
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return valuesOf(header).at(-1);
}

/** The values of a header that may stand there several times, or hold a list. */
function valuesOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap(line => line.split(','))
    .map(value => value.trim())
    .filter(value => value !== '');
}

/** An address without the port, the brackets and the zone that may be written with it, and of a mapped one the IPv4 address. */
function plainAddress(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
