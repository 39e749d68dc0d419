import { describe, expect, it } from 'vitest';
import { nearestName } from '../../src/contract/nearest-name.js';

const known = ['revenue', 'count', 'paid_revenue', 'region', 'regions', 'id', 'Year'];

describe('nearestName', () => {
  it.each([
    ['revenu', 'revenue'],
    ['reveune', 'revenue'],
    ['regionn', 'region'],
    ['REGION', 'region'],
    ['year', 'Year'],
    ['region', 'regions'],
    ['paid_revnue', 'paid_revenue'],
  ])('suggests for %s: %s', (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it.each(['xy', 'revolve', 'amount', 'turnover', '', 'r'.repeat(41), 'xd'])('suggests nothing for %s', name => {
    expect(nearestName(name, known)).toBeUndefined();
  });

  it('compares a limited number of names', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `a${String(index).padStart(4, '0')}`);
    expect(nearestName('regio', [...many, 'region'])).toBeUndefined();
    expect(nearestName('regio', ['region', ...many])).toBe('region');
  });
});
