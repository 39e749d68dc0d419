import { expect, test } from 'vitest';
import { FormatterCache } from '../../../../src/platform/agent/analyst/analyst.js';

const column = { member: 'a.b', kind: 'measure', annotation: { title: '', shortTitle: '', type: 'number' } } as const;

test('caches the formatters of the most recently used languages', () => {
  const formatters = new FormatterCache();
  const [english, german] = [formatters.of('en'), formatters.of('de')];
  expect([english, german].map(formatter => formatter.cell('1234.5', column))).toEqual(['1,234.5', '1.234,5']);
  expect(formatters.of('en')).toBe(english);
  for (let other = 0; other < 15; other += 1) formatters.of(`en-x-other${other}`);
  expect(formatters.of('en')).toBe(english);
  expect(formatters.of('de')).not.toBe(german);
});
