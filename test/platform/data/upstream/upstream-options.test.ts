import { expect, it } from 'vitest';
import { readUpstream, rejectOwnData } from '../../../../src/platform/data/upstream/upstream-options.js';

const secret = 'a-secret-of-the-cluster';

it.each([
  ['https://cluster.example/cubejs-api', 'https://cluster.example/cubejs-api'],
  ['https://cluster.example/a/b//', 'https://cluster.example/a/b'],
  ['https://cluster.example:8443', 'https://cluster.example:8443/'],
  ['http://127.0.0.1:4000/cubejs-api', 'http://127.0.0.1:4000/cubejs-api'],
  ['http://[::1]:4000/', 'http://[::1]:4000/'],
])('%s is a valid URL', (url, base) => {
  expect(readUpstream({ url, secret: ` ${secret} ` })).toEqual({ base: new URL(base), secret });
});

it.each([
  ['cluster.example/api', 'must be a URL like'],
  ['ftp://cluster.example/api', 'must be a URL like'],
  ['https://user:hunter2@cluster.example/api', 'not contain a user or password'],
  ['https://cluster.example/api?token=hunter2', 'not have a query string or a fragment'],
  ['https://cluster.example/api#hunter2', 'not have a query string or a fragment'],
  ['http://cluster.example/api', 'must start with https:'],
  ['http://localhost.example/api', 'must start with https:'],
  ['https://cluster.example/api/v1', 'not end with /v1'],
  ['https://cluster.example/api/v1/', 'not end with /v1'],
])('%s is rejected', (url, why) => {
  expect(() => readUpstream({ url, secret })).toThrow(why);
  expect(() => readUpstream({ url, secret })).not.toThrow('hunter2');
});

it.each(['', 'short', 'a secret with spaces', 'ein-geheimes-wört'])('"%s" is not a valid secret', weak => {
  const read = () => readUpstream({ url: 'https://cluster.example/api', secret: weak });
  expect(read).toThrow('PA_DATA_API_UPSTREAM_SECRET must be at least 16 visible ASCII characters');
});

it.each([
  [{ modelDirectory: 'm', sourcesDirectory: 's' }, {}, 'Set either --model or --data-api-upstream'],
  [{ sourcesDirectory: 's' }, {}, '--sources has no effect with --data-api-upstream: remove it.'],
  [{ dataSourceUrl: 'postgres://h/d' }, {}, 'PA_DATA_SOURCE_URL has no effect with'],
  [{ dataSchema: 'n' }, {}, '--data-schema has no effect with'],
  [{}, { continueWaitMs: 1 }, '--continue-wait has no effect with'],
  [{}, { queryTimeoutMs: 1 }, '--query-timeout has no effect with'],
  [{}, { memoryLimit: '1GB' }, '--memory-limit has no effect with'],
  [{}, { cacheBytes: 0 }, '--cache-size has no effect with'],
  [
    { dataSchema: 'n' },
    { cacheBytes: 0 },
    '--data-schema, --cache-size have no effect with --data-api-upstream: remove them',
  ],
])('%j and limits of %j are rejected with an upstream', (own, limits, sentence) => {
  expect(() => rejectOwnData(own, limits)).toThrow(sentence);
});

it('allows a limit of waiting requests', () => {
  expect(() => rejectOwnData({}, { queueLimit: 7 })).not.toThrow();
});
