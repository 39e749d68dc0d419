import { describe, expect, it } from 'vitest';
import { type Audience, anyone, readAudience, toGrant } from '../../src/console/audience.js';
import { checkEmbedGrant, EmbedGrant } from '../../src/contract/embed-grant.js';

const known = [
  { id: 1, name: 'region', type: 'string' },
  { id: 2, name: 'level', type: 'number' },
  { id: 3, name: 'beta', type: 'boolean' },
  { id: 4, name: 'stores', type: 'number_array' },
];
const read = (securityContext: string, attributes: Record<string, string> = {}, groups = '') =>
  readAudience({ securityContext, groups, attributes: new Map(Object.entries(attributes)) }, known);

describe('readAudience', () => {
  it('reads context, groups and attributes by their type', () => {
    const attributes = { region: ' EU ', level: '3', beta: 'false', stores: '1, 2' };
    expect(read('{"tenant": "acme"}', attributes, 'sales, , finance')).toEqual({
      audience: {
        securityContext: { tenant: 'acme' },
        groups: ['sales', 'finance'],
        userAttributes: [
          { name: 'region', value: 'EU' },
          { name: 'level', value: 3 },
          { name: 'beta', value: false },
          { name: 'stores', value: [1, 2] },
        ],
      },
    });
  });

  it('reads empty fields as a viewer without a context', () => {
    expect(read(' ', { region: '' })).toEqual({ audience: anyone });
  });

  it.each(['{tenant}', '[]', 'null', '"acme"'])('rejects %s as a security context', text => {
    expect(read(text)).toMatchObject({ field: 'securityContext', problem: expect.stringContaining('JSON object') });
  });

  it.each([{ level: 'high' }, { beta: 'yes' }, { stores: '1, x' }])(
    'names the attribute with a wrong type: %o',
    given => {
      expect(read('', given)).toMatchObject({ field: Object.keys(given)[0] });
    },
  );
});

it('uses one embed user per combination of groups and attributes, because they are stored with it', () => {
  const idOf = (audience: Partial<Audience>) => toGrant({ ...anyone, ...audience }, 1, known).externalId;
  expect(idOf({ securityContext: { tenant: 'acme' } })).toBe('playground');
  expect(idOf({ groups: ['a', 'b'] })).toBe(idOf({ groups: ['b', 'a'] }));
  const audiences = [
    {},
    { groups: ['a'] },
    { groups: ['a', 'b'] },
    { groups: ['a,b'] },
    { userAttributes: [{ name: 'level', value: 3 }] },
    { userAttributes: [{ name: 'level', value: '3' }] },
  ];
  expect(new Set(audiences.map(idOf)).size).toBe(audiences.length);
});

it('sets all groups and attributes of the embed user', () => {
  const audience = { ...anyone, securityContext: { a: 1 }, userAttributes: [{ name: 'level', value: 3 }] };
  const grant = toGrant(audience, 1, known);
  expect(grant).toEqual({
    deploymentId: 1,
    externalId: expect.stringMatching(/^playground-[a-z\d]+$/),
    securityContext: { a: 1 },
    groups: [],
    userAttributes: [
      { name: 'region', value: null },
      { name: 'level', value: 3 },
      { name: 'beta', value: null },
      { name: 'stores', value: null },
    ],
  });
  expect(EmbedGrant.safeParse(grant).success).toBe(true);
  expect(checkEmbedGrant(grant)).toBeNull();
});
