import { expect, it } from 'vitest';
import { readUpstream } from '../../../src/platform/data-upstream/upstream-options.js';

const secret = 'a-secret-of-the-cluster';

it.each([
  ['https://cluster.example/cubejs-api', 'https://cluster.example/cubejs-api'],
  ['https://cluster.example/a/b//', 'https://cluster.example/a/b'],
  ['https://cluster.example:8443', 'https://cluster.example:8443/'],
  ['http://127.0.0.1:4000/cubejs-api', 'http://127.0.0.1:4000/cubejs-api'],
  ['http://[::1]:4000/', 'http://[::1]:4000/'],
])('%s is where a cluster can be', (url, base) => {
  expect(readUpstream({ url, secret: ` ${secret} ` })).toEqual({ base: new URL(base), secret });
});

it.each([
  ['cluster.example/api', 'must be an address like'],
  ['ftp://cluster.example/api', 'must be an address like'],
  ['https://user:hunter2@cluster.example/api', 'without user and password'],
  ['https://cluster.example/api?token=hunter2', 'must be an address like'],
  ['https://cluster.example/api#hunter2', 'must be an address like'],
  ['http://cluster.example/api', 'must begin with https:'],
  ['http://localhost.example/api', 'must begin with https:'],
  ['https://cluster.example/api/v1', 'without /v1'],
  ['https://cluster.example/api/v1/', 'without /v1'],
])('%s is refused', (url, why) => {
  expect(() => readUpstream({ url, secret })).toThrow(why);
  expect(() => readUpstream({ url, secret })).not.toThrow('hunter2');
});

it.each(['', 'short', 'a secret with spaces', 'ein-geheimes-wört'])('"%s" is no secret', weak => {
  const read = () => readUpstream({ url: 'https://cluster.example/api', secret: weak });
  expect(read).toThrow('PA_DATA_API_UPSTREAM_SECRET must be at least 16 visible ASCII characters');
});
