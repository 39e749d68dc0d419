import { expect, test } from 'vitest';
import { describeUpstream, readUpstreamOptions } from '../../src/cli/serve-upstream.js';

const url = 'https://cluster.example/cubejs-api';

test('an upstream is a flag and a secret of the environment', () => {
  expect(readUpstreamOptions(undefined, {})).toBeNull();
  expect(readUpstreamOptions(undefined, { PA_DATA_API_UPSTREAM_SECRET: '' })).toBeNull();
  expect(readUpstreamOptions(url, { PA_DATA_API_UPSTREAM_SECRET: 's3cret' })).toEqual({ url, secret: 's3cret' });
});

test('half of it is a mistake that is told, without the secret', () => {
  expect(() => readUpstreamOptions(url, {})).toThrow('--data-api-upstream needs PA_DATA_API_UPSTREAM_SECRET');
  expect(() => readUpstreamOptions(url, { PA_DATA_API_UPSTREAM_SECRET: '' })).toThrow(
    'needs PA_DATA_API_UPSTREAM_SECRET',
  );
  const alone = () => readUpstreamOptions(undefined, { PA_DATA_API_UPSTREAM_SECRET: 's3cret' });
  expect(alone).toThrow('PA_DATA_API_UPSTREAM_SECRET needs --data-api-upstream');
  expect(alone).not.toThrow('s3cret');
});

test('where queries go is told in a line, without the path and the secret', () => {
  expect(describeUpstream({ url, secret: 's3cret' })).toBe('Data API: passed on to cluster.example');
});
