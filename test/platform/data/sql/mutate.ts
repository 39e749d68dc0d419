import type { Dice } from './dice.js';

const token = /\s+|--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|[A-Za-z_]\w*|\d+(?:\.\d+)?|[<>=!|:~]+|./gsu;

/** Tokens that can replace each other, so that many mutations stay parseable. */
const kinds: readonly { readonly pattern: RegExp; readonly others: readonly string[] }[] = [
  {
    pattern: /^(?:'|\d|\$)/,
    others: [
      '0',
      '1',
      '-1',
      '2.5',
      '1e308',
      '99999999999',
      `''`,
      `'x'`,
      `'12'`,
      `'2024-02-30'`,
      `'tenant_b'`,
      'NULL',
      'TRUE',
    ],
  },
  { pattern: /^[<>=!|~]+$|^[-+*/%]$/, others: ['=', '<>', '<', '>=', '+', '-', '*', '/', '%', '||', '~', '^', '!~*'] },
  {
    pattern: /^(?:MEASURE|SUM|AVG|MIN|MAX|COUNT|ABS|ROUND|UPPER|LENGTH|COALESCE|RANK|CEIL|SQRT)$/i,
    others: [
      'SUM',
      'AVG',
      'MAX',
      'COUNT',
      'ABS',
      'ROUND',
      'UPPER',
      'LENGTH',
      'MEASURE',
      'RANK',
      'SQRT',
      'BOOL_OR',
      'FLOOR',
    ],
  },
  {
    pattern: /^(?:AND|OR|UNION|EXCEPT|INTERSECT|JOIN|ASC|DESC)$/i,
    others: ['AND', 'OR', 'UNION', 'EXCEPT', 'LEFT JOIN', 'DESC'],
  },
  {
    pattern: /^[a-z]\w*$|^"/,
    others: ['id', 'status', 'amount', 'paid', 'placed_at', 'tenant', 'city', 'orders', 'secret', 'vault', 'x'],
  },
];

/** Tokens inserted anywhere. */
const anything = [
  '*',
  '(',
  ')',
  ',',
  ';',
  '"',
  `'`,
  '$1',
  '::',
  '::integer',
  '::text',
  '::timestamp',
  '::boolean',
  '::numeric',
  'SELECT',
  'FROM',
  'GROUP BY 1',
  'ORDER BY 1',
  'UNION ALL',
  'DISTINCT',
  'OVER ()',
  'FILTER (WHERE TRUE)',
  'NOT',
  'IS NULL',
  'ANY',
  'AS',
  'CASE',
  'LATERAL',
  'COUNT(*)',
  'MEASURE(count)',
  'orders.secret',
  'LIMIT 1',
  '\u0000',
  '\u2028',
] as const;

/** Drops, duplicates, swaps or replaces a few tokens of a statement, mostly with similar ones. */
export function mutated(dice: Dice, text: string): string {
  const parts = text.match(token) ?? [];
  const mutate = dice.once(4) ? breakUp : exchange;
  for (let times = 1 + dice.below(2); times > 0; times--) mutate(dice, parts);
  return parts.join('');
}

function exchange(dice: Dice, parts: string[]): void {
  const some = parts.flatMap((part, index) => {
    const kind = kinds.find(({ pattern }) => pattern.test(part));
    return kind ? [{ index, kind }] : [];
  });
  if (some.length === 0) return;
  const { index, kind } = dice.pick(some);
  const alike = parts.filter(part => kind.pattern.test(part));
  parts[index] = dice.pick(dice.once(2) ? alike : kind.others);
}

function breakUp(dice: Dice, parts: string[]): void {
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
      parts[at] = dice.pick(anything);
  }
}
