import type { Dice } from './dice.js';

const token =
  /\s+|--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|[A-Za-z_][\w.]*|\d+(?:\.\d+)?|[<>=!|:~]+|./gsu;

/** What is put in the place of another token. */
const tokens = [
  'NULL',
  '0',
  '-1',
  '99999999999999999999',
  '1e308',
  `''`,
  `'x'`,
  `'tenant_b'`,
  `'2024-13-45'`,
  '*',
  '(',
  ')',
  ',',
  ';',
  '"',
  `'`,
  '$1',
  '::',
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY 1',
  'UNION ALL',
  'DISTINCT',
  'OVER ()',
  'FILTER (WHERE TRUE)',
  'NOT',
  'IS NULL',
  'ALL',
  'ANY',
  'AS',
  'CASE',
  'END',
  'LATERAL',
  'COUNT(*)',
  'MEASURE(count)',
  '::integer',
  '::text',
  '::timestamp',
  '::boolean',
  'orders',
  'customers',
  'orders.secret',
  'secret',
  'vault',
  'tenant',
  'id',
  'placed_at',
  'LIMIT 1',
  'ROWS BETWEEN',
  'INTERVAL',
  'EXTRACT',
  '\u0000',
  '\u2028',
] as const;

/** A statement of which a few tokens are dropped, doubled, swapped or replaced. */
export function mutated(dice: Dice, text: string): string {
  const parts = text.match(token) ?? [];
  for (let times = 1 + dice.below(3); times > 0; times--) mutate(dice, parts);
  return parts.join('');
}

function mutate(dice: Dice, parts: string[]): void {
  const solid = parts.flatMap((part, index) => (part.trim() === '' ? [] : [index]));
  if (solid.length < 2) return;
  const [at, other] = [dice.pick(solid), dice.pick(solid)];
  const [here = '', there = ''] = [parts[at], parts[other]];
  switch (dice.below(5)) {
    case 0:
      parts.splice(at, 1);
      break;
    case 1:
      parts.splice(at, 0, here, ' ');
      break;
    case 2:
      parts[at] = there;
      parts[other] = here;
      break;
    case 3:
      parts[at] = there;
      break;
    default:
      parts[at] = dice.pick(tokens);
  }
}
