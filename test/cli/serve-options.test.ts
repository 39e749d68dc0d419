import { describe, expect, test } from 'vitest';
import { readServeOptions, serveHelp } from '../../src/cli/serve-options.js';

describe('options of serve', () => {
  test('have defaults', () => {
    expect(readServeOptions([])).toEqual({
      address: { host: '127.0.0.1', port: 4100 },
      ops: null,
      tls: null,
      trustedProxies: null,
      dataDirectory: undefined,
      databaseUrl: undefined,
      modelDirectory: undefined,
      sourcesDirectory: undefined,
      dataSchema: undefined,
      dataApiPath: '/data-api',
      dataApiUpstream: undefined,
      publicUrl: undefined,
      allowOrigins: [],
      groups: [],
      limits: {},
      rateLimit: undefined,
      oidc: null,
      tokenIssuer: null,
      mcp: false,
      usageAnalytics: false,
      console: true,
      queryLog: true,
      demo: false,
    });
  });

  test('are parsed, some of them repeatedly', () => {
    const line =
      '--host [::1] --port 0 --tls-cert c --tls-key k --trust-proxy 10.0.0.0/8 --trust-proxy ::1 --data d --database-url postgres://h/d --model m --sources s --data-schema n --data-api-path /x --data-api-upstream https://cluster.example/api --public-url https://pa.example --allow-origin https://a.example --allow-origin=https://b.example --group one --group two --continue-wait 100 --query-timeout 2000 --memory-limit 1.5GiB --cache-size 0 --queue-limit 7 --rate-limit 0 --mcp --usage-analytics --no-console --no-query-log --ops-host localhost --ops-port 9 --demo';
    expect(readServeOptions(line.split(' '))).toEqual({
      address: { host: '::1', port: 0 },
      ops: { host: 'localhost', port: 9 },
      tls: { cert: 'c', key: 'k' },
      trustedProxies: expect.any(Function),
      dataDirectory: 'd',
      databaseUrl: 'postgres://h/d',
      modelDirectory: 'm',
      sourcesDirectory: 's',
      dataSchema: 'n',
      dataApiPath: '/x',
      dataApiUpstream: 'https://cluster.example/api',
      publicUrl: 'https://pa.example',
      rateLimit: 0,
      allowOrigins: ['https://a.example', 'https://b.example'],
      groups: ['one', 'two'],
      limits: { continueWaitMs: 100, queryTimeoutMs: 2000, memoryLimit: '1.5GiB', cacheBytes: 0, queueLimit: 7 },
      oidc: null,
      tokenIssuer: null,
      mcp: true,
      usageAnalytics: true,
      console: false,
      queryLog: false,
      demo: true,
    });
  });

  test('allow any address with HTTPS', () => {
    const line = '--tls-cert c --tls-key k --host [::] --public-url https://pa.example';
    expect(readServeOptions(line.split(' '))).toMatchObject({ address: { host: '::', port: 4100 } });
  });

  test('name an OpenID provider with its rules, and an issuer of tokens', () => {
    const provider =
      '--oidc-issuer https://id.example --oidc-client-id pa --oidc-rule a=b:admin --oidc-rule c=d:role=e';
    const issuer = '--token-issuer https://id.example --token-audience https://pa.example';
    expect(readServeOptions(`${provider} ${issuer} --oidc-create-users`.split(' '))).toMatchObject({
      oidc: { issuer: 'https://id.example', clientId: 'pa', createUsers: true, rules: ['a=b:admin', 'c=d:role=e'] },
      tokenIssuer: { issuer: 'https://id.example', audience: 'https://pa.example' },
    });
  });

  test.each([
    [['--oidc-issuer', 'https://id.example'], '--oidc-client-id'],
    [['--oidc-create-users'], '--oidc-issuer'],
    [['--oidc-trust-email'], '--oidc-issuer'],
    [['--token-issuer', 'https://id.example'], '--token-audience'],
    [['--token-jwks-url', 'https://id.example/keys'], '--token-issuer'],
  ])('reject the incomplete %j', (args, missing) => {
    expect(() => readServeOptions(args)).toThrow(missing);
  });

  test('are all in the help text', () => {
    expect(readServeOptions(['--port', '1', '--help'])).toBeNull();
    const flags =
      'host port tls-cert tls-key trust-proxy data database-url model sources data-schema data-api-path data-api-upstream public-url allow-origin group continue-wait query-timeout memory-limit cache-size queue-limit rate-limit oidc-issuer oidc-client-id oidc-name oidc-scope oidc-create-users oidc-trust-email oidc-rule token-issuer token-audience token-jwks-url mcp usage-analytics no-console no-query-log ops-host ops-port demo help'.split(
        ' ',
      );
    expect([...serveHelp.matchAll(/^ {2}--([a-z-]+)/gm)].map(match => match[1])).toEqual(flags);
  });

  test.each([
    [['--nope'], "Unknown option '--nope'. See pa-platform serve --help."],
    [['--modle', 'x'], "Unknown option '--modle'. Did you mean '--model'? See pa-platform serve --help."],
    [['--tls-cert', 'c'], '--tls-cert and --tls-key require each other: set both or neither.'],
    [['--tls-key', 'k'], '--tls-cert and --tls-key require each other: set both or neither.'],
    [
      ['--tls-cert', 'c', '--tls-key', 'k', '--host', '0.0.0.0'],
      '--host with an address other than loopback requires --public-url, because requests for other host names are rejected.',
    ],
    [['--trust-proxy', 'all'], '--trust-proxy must be an address or a network like 10.0.0.0/8.'],
    [['--trust-proxy', '10.0.0.0/33'], '--trust-proxy must be an address or a network like 10.0.0.0/8.'],
    [['--trust-proxy', '10.0.0.0/'], '--trust-proxy must be an address or a network like 10.0.0.0/8.'],
    [
      ['--database-url', 'mysql://user:secret@host/d'],
      '--database-url must be the URL of a Postgres server, like postgres://user@host/database.',
    ],
    [['extra'], /^Unexpected argument 'extra'.*\. See pa-platform serve --help\.$/],
    [['--port'], /^Option '--port <value>' argument missing\. See/],
    [['--demo=yes'], /^Option '--demo' does not take an argument\. See/],
    [['--port', '70000'], '--port must be a whole number from 0 to 65535, not "70000".'],
    [['--port', '-1'], /--port/],
    [['--ops-port', 'x'], '--ops-port must be a whole number from 0 to 65535, not "x".'],
    [['--continue-wait', '0'], '--continue-wait must be a whole number from 1 to 120000, not "0".'],
    [['--continue-wait', '5s'], /--continue-wait/],
    [['--query-timeout', '1e3'], '--query-timeout must be a whole number from 1 to 3600000, not "1e3".'],
    [['--cache-size', '-1'], /--cache-size/],
    [['--cache-size=1000001'], '--cache-size must be a whole number from 0 to 1000000, not "1000001".'],
    [['--queue-limit', '0'], '--queue-limit must be a whole number from 1 to 100000, not "0".'],
    [['--rate-limit', 'much'], '--rate-limit must be a whole number from 0 to 10000000, not "much".'],
    [['--memory-limit', 'much'], '--memory-limit must be a size like 512MB or 2GB.'],
    [['--memory-limit', '0GB'], /--memory-limit/],
    [["--memory-limit=1GB'; DROP"], /--memory-limit/],
    [['--host', '0.0.0.0'], /^--host must be a loopback address.* --tls-cert and --tls-key /],
    [['--host', '::'], /^--host must be a loopback address/],
    [['--host', 'example.com'], /^--host must be a loopback address/],
    [['--host', '127.0.0.1.example.com'], /^--host must be a loopback address/],
    [['--ops-port', '1', '--ops-host', '10.0.0.1'], /^--ops-host must be a loopback address/],
  ])('%j is rejected with one line', (args, sentence) => {
    let message = '';
    try {
      readServeOptions(args);
    } catch (error) {
      expect(error).toMatchObject({ name: 'UsageError' });
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(sentence);
    expect(message).not.toContain('\n');
  });
});
