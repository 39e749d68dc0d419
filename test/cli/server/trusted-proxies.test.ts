import { describe, expect, test } from 'vitest';
import { originOf, readTrustedProxies } from '../../../src/cli/server/trusted-proxies.js';

const trusted = readTrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

const originFrom = (remoteAddress: string, headers: Record<string, string>) =>
  originOf({ headers, socket: { remoteAddress } }, trusted);
const addressFrom = (remoteAddress: string, row: string) =>
  originFrom(remoteAddress, { 'x-forwarded-for': row }).remoteAddress;

describe('X-Forwarded headers', () => {
  const forged = {
    'x-forwarded-for': '198.51.100.1',
    'x-forwarded-host': 'pa.example',
    'x-forwarded-proto': 'https',
  };

  test.each(['203.0.113.5', '11.0.0.1', '192.0.2.8', '::1', 'fe80::1', '::ffff:203.0.113.5'])(
    'of the untrusted client %s are ignored',
    address => expect(originFrom(address, forged)).toEqual({ remoteAddress: address }),
  );

  test('are ignored without trusted proxies', () => {
    const socket = { remoteAddress: '10.0.0.1' };
    expect(readTrustedProxies([])).toBeNull();
    expect(originOf({ headers: forged, socket }, null)).toEqual({ remoteAddress: '10.0.0.1' });
  });

  test.each(['10.0.0.1', '10.255.255.255', '192.0.2.7', 'fd12::1', '::ffff:10.0.0.1'])(
    'of the proxy %s are used',
    address =>
      expect(originFrom(address, forged)).toEqual({
        remoteAddress: '198.51.100.1',
        host: 'pa.example',
        scheme: 'https',
      }),
  );

  test('may be missing', () => {
    expect(originFrom('10.0.0.1', {})).toEqual({ remoteAddress: '10.0.0.1' });
  });

  test('determine host and scheme by the value that the proxy has added', () => {
    const headers = { 'x-forwarded-host': 'evil.example, pa.example', 'x-forwarded-proto': 'http,HTTPS' };
    expect(originFrom('10.0.0.1', headers)).toMatchObject({ host: 'pa.example', scheme: 'https' });
  });
});

describe('the address of a client', () => {
  test.each([
    ['behind one proxy', '198.51.100.1', '198.51.100.1'],
    ['behind several', '198.51.100.1, 10.0.0.3, fd00::2', '198.51.100.1'],
    ['that sends a forged address', '127.0.0.1, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
    ['that is a proxy', '10.0.0.9, 10.0.0.3', '10.0.0.9'],
    ['with a port', '198.51.100.1:5000', '198.51.100.1'],
    ['of IPv6 with a port', '[2001:db8::1]:5000', '2001:db8::1'],
    ['that is invalid', 'unknown', '10.0.0.1'],
    ['behind an invalid one', '198.51.100.1, unknown, 10.0.0.3', '10.0.0.3'],
  ])('%s', (_name, row, address) => {
    expect(addressFrom('10.0.0.1', row)).toBe(address);
  });
});

test.each(['all', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8', '10.0.0.0/-1', ''])(
  '%j is not a network',
  network => expect(() => readTrustedProxies([network])).toThrow('--trust-proxy must be an address or a network'),
);
