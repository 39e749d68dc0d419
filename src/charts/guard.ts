import type { expressionInterpreter } from 'vega-interpreter';
import { safeHref } from '../report/href.js';
import { isPaint } from './paint.js';

/** Turns compiled expressions into functions; what Vega takes as the option `expr`. */
export type Interpreter = typeof expressionInterpreter;

type Ast = { readonly type: string } & Readonly<Record<string, unknown>>;
interface Expression {
  readonly ast: Ast;
}
interface Encoding {
  readonly channels: Readonly<Record<string, Expression>>;
}
interface Context {
  readonly functions: object;
}
type Item = Record<string, unknown>;

/** Local-time functions of the expression language, and what stands for them: a chart's clock is UTC (see `chart-rows.ts`). */
const inUtc: Readonly<Record<string, string>> = {
  date: 'utcdate',
  datetime: 'paDatetime',
  day: 'utcday',
  dayofyear: 'utcdayofyear',
  hours: 'utchours',
  isoweek: 'utcisoweek',
  milliseconds: 'utcmilliseconds',
  minutes: 'utcminutes',
  month: 'utcmonth',
  now: 'paNow',
  quarter: 'utcquarter',
  seconds: 'utcseconds',
  timeOffset: 'utcOffset',
  timeSequence: 'utcSequence',
  timezoneoffset: 'paZone',
  week: 'utcweek',
  year: 'utcyear',
};

const own = {
  paDatetime: (...fields: readonly (number | string | Date)[]) => {
    const [year = Number.NaN, month = 0, day = 1, ...clock] = fields.map(Number);
    return fields.length > 1 ? new Date(Date.UTC(year, month, day, ...clock)) : new Date(fields[0] ?? Number.NaN);
  },
  paMember: member,
  paNow: () => Date.now() - new Date().getTimezoneOffset() * 60_000,
  paZone: () => 0,
};

/**
 * Wraps Vega's interpreter so that an expression of a specification
 * - sees data and items, never the page: no member that is a function, an element, a window;
 * - can't make the browser load by a colour or a cursor (`url(…)`), nor run by a link;
 * - reads every time as UTC.
 * A tooltip becomes a function that makes it when it is looked at.
 */
export function guardInterpreter(inner: Interpreter): Interpreter {
  const guarded =
    (compile: (context: unknown, expression: unknown) => unknown) => (context: Context, expression: Expression) =>
      compile(inScope(context), { ...expression, ast: rewrite(expression.ast) });
  return {
    operator: guarded(inner.operator),
    parameter: guarded(inner.parameter),
    event: guarded(inner.event),
    handler: guarded(inner.handler),
    encode: (context: Context, encoding: Encoding) => {
      // A chart is one image to assistive technology, so no mark needs a description of its own.
      const {
        tooltip,
        description: _,
        ...drawn
      } = Object.fromEntries(
        Object.entries(encoding.channels).map(([name, channel]) => [name, { ...channel, ast: rewrite(channel.ast) }]),
      );
      const scope = inScope(context);
      const encode = inner.encode(scope, { ...encoding, channels: drawn });
      const tip = tooltip && inner.encode(scope, { marktype: 'rule', channels: { tooltip } });
      const checks = pageChannels.filter(({ name }) => name in drawn);
      return (item: Item, parameters: unknown) => {
        const changed = encode(item, parameters);
        if (tip) item.tooltip = whenAsked(tip, item, parameters);
        for (const { name, safe } of checks) {
          const value = item[name];
          if (typeof value === 'string' && !safe(value)) item[name] = null;
        }
        return changed;
      };
    },
  };
}

/** Text for thousands of tooltips would take as long as all the drawing; one at a time is looked at. */
function whenAsked(tip: (item: Item, parameters: unknown) => unknown, item: Item, parameters: unknown): () => unknown {
  return () => {
    const asked: Item = Object.create(item);
    tip(asked, parameters);
    return asked.tooltip;
  };
}

const isKeyword = (value: string) => /^[a-z-]+$/.test(value);

/** Channels whose values become CSS or a link, and what they may hold. Anything else is left out. */
const pageChannels = [
  { name: 'fill', safe: isPaint },
  { name: 'stroke', safe: isPaint },
  { name: 'cursor', safe: isKeyword },
  { name: 'blend', safe: isKeyword },
  { name: 'href', safe: (value: string) => safeHref(value) !== null },
];

function inScope(context: Context): Context {
  const functions: object = Object.assign(Object.create(context.functions), own);
  return Object.create(context, { functions: { value: functions } });
}

function rewrite(node: Ast): Ast {
  const children = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewriteValue(value)]));
  if (node.type === 'MemberExpression') return call('paMember', [children.object, propertyOf(node, children)]);
  if (node.type !== 'CallExpression' || !isAst(node.callee)) return { ...children, type: node.type };
  const name = String(node.callee.name);
  return { ...children, type: node.type, callee: { ...node.callee, name: inUtc[name] ?? name } };
}

function rewriteValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteValue);
  return isAst(value) ? rewrite(value) : value;
}

function propertyOf(node: Ast, children: Record<string, unknown>): unknown {
  if (node.computed) return children.property;
  return { type: 'Literal', value: isAst(node.property) ? node.property.name : '' };
}

function call(name: string, args: readonly unknown[]): Ast {
  return { type: 'CallExpression', callee: { type: 'Identifier', name }, arguments: args };
}

function isAst(value: unknown): value is Ast {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function member(object: Readonly<Record<string, unknown>>, key: string): unknown {
  const value = object[key];
  if (typeof value === 'function') return undefined;
  return typeof value === 'object' && value instanceof EventTarget ? undefined : value;
}
