import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { RequestOrigin } from '../../platform/http/request-id.js';
import { UsageError } from '../command.js';

/** Returns whether the `X-Forwarded-*` headers of a client address are trusted. */
export type TrustedProxies = (address: string) => boolean;

/** The parts of a request that determine its origin. */
type Arrival = Pick<IncomingMessage, 'headers' | 'url'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Parses addresses and networks like `10.0.0.0/8` or `fd00::/8`; `null` if there are none.
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
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const prefix = bits === undefined ? maxBits : prefixLength(bits);
  if (isIP(address) === 0 || rest.length > 0 || !(prefix <= maxBits)) {
    throw new UsageError('--trust-proxy must be an address or a network like 10.0.0.0/8.');
  }
  list.addSubnet(address, prefix, familyOf(address));
}

/** Returns NaN if the text is not a number of bits. */
function prefixLength(bits: string): number {
  return /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
}

/**
 * Returns the origin of a request. Uses `X-Forwarded-For`, `-Proto` and `-Host` only if the connected client is a
 * trusted proxy. The address is the last one in `X-Forwarded-For` that is not a trusted proxy. The last value of each
 * other header is used, because the proxy has added it.
 */
export function originOf({ headers, socket, url }: Arrival, trusted: TrustedProxies | null): RequestOrigin {
  const { remoteAddress } = socket;
  if (trusted === null || remoteAddress === undefined || !trusted(remoteAddress)) return { remoteAddress, url };
  const host = lastValue(headers['x-forwarded-host']);
  const scheme = lastValue(headers['x-forwarded-proto'])?.toLowerCase();
  return {
    url,
    remoteAddress: clientAddress(remoteAddress, headerValues(headers['x-forwarded-for']), trusted),
    ...(host !== undefined && { host }),
    ...(scheme !== undefined && { scheme }),
  };
}

function clientAddress(peer: string, forwardedFor: readonly string[], trusted: TrustedProxies): string {
  let client = peer;
  for (const value of forwardedFor.toReversed()) {
    const address = plainAddress(value);
    // Trusted proxies only add valid addresses.
    if (address === null) return client;
    client = address;
    if (!trusted(client)) return client;
  }
  return client;
}

function lastValue(header: string | string[] | undefined): string | undefined {
  return headerValues(header).at(-1);
}

/** Returns the values of a header that may be repeated or contain a list. */
function headerValues(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap(line => line.split(','))
    .map(value => value.trim())
    .filter(value => value !== '');
}

/** Removes the port, the brackets and the zone of an address; converts an IPv4-mapped address to IPv4. */
function plainAddress(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
