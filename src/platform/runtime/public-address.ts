import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 networks that are not public (IANA special-purpose registry). */
const reservedNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** IPv6 networks that are not public: documentation, and transition addresses that contain an IPv4 address. */
const reservedNetworks6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Created by the first check, because importing a module must not have side effects. */
let lists: { readonly reserved: BlockList; readonly global: BlockList } | null = null;

function networkLists() {
  if (lists) return lists;
  const [reserved, global] = [new BlockList(), new BlockList()];
  for (const [network, prefix] of reservedNetworks) reserved.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of reservedNetworks6) reserved.addSubnet(network, prefix, 'ipv6');
  global.addSubnet('2000::', 3, 'ipv6');
  lists = { reserved, global };
  return lists;
}

/** True for an address on the public internet. False for IPv4-mapped IPv6 addresses. */
export function isPublicAddress(address: string): boolean {
  const { reserved, global } = networkLists();
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** Thrown if a host name resolves to an address that is not allowed. */
export class AddressNotAllowed extends Error {}

/**
 * Returns a function that resolves names for one connection, and fails if any of the addresses is not allowed. The
 * connection uses the checked addresses, so a later DNS response cannot change them.
 */
export function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('The host has no address.'), '');
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new AddressNotAllowed(), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
