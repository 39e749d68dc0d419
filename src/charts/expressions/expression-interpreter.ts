import { safeHref } from '../../report/format/safe-href.js';
import { isCssColor } from '../css-color.js';
import {
  binary,
  builtInFunctions,
  constants,
  type ExpressionFunction,
  safePattern,
  unary,
  utcFunctions,
} from './expression-functions.js';

type Ast = { readonly type: string } & Readonly<Record<string, unknown>>;
interface Expression {
  readonly ast: Ast;
}
interface Encoding {
  readonly marktype?: string;
  readonly channels: Readonly<Record<string, Expression>>;
}
interface Context {
  readonly functions: object;
}
type Item = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>> | undefined;
interface ViewEvent {
  readonly item?: Item | null;
  readonly vega?: object;
}

/** Evaluates an expression. Each kind of expression receives only some of the arguments. */
type Evaluate = (datum: unknown, values: Values, event: ViewEvent | undefined, item: Item | undefined) => unknown;

/** Compiles parsed expressions to functions. Passed to Vega as the option `expr`. */
export interface Interpreter {
  operator(context: Context, expression: Expression): (values: Values) => unknown;
  parameter(context: Context, expression: Expression): (datum: unknown, values: Values) => unknown;
  event(context: Context, expression: Expression): (event: ViewEvent) => unknown;
  handler(context: Context, expression: Expression): (values: Values, event: ViewEvent) => unknown;
  encode(context: Context, encoding: Encoding): (item: Item, values: Values) => boolean;
}

/**
 * Compiles each expression of a specification to a function without `eval`. The result is a tree of closures, which is
 * much cheaper than walking the syntax tree for each row. An expression
 * - can read data and items but not the page: functions, elements and windows are not accessible as members;
 * - cannot load a resource through a color or cursor (`url(…)`) or run a script through a link;
 * - reads all times as UTC and cannot run indefinitely.
 *
 * A tooltip becomes a function that computes its content on demand.
 */
export const guardedInterpreter: Interpreter = {
  operator: (context, { ast }) => {
    const evaluate = compile(ast, context.functions);
    return values => evaluate(undefined, values, undefined, undefined);
  },
  parameter: (context, { ast }) => {
    const evaluate = compile(ast, context.functions);
    return (datum, values) => evaluate(datum, values, undefined, undefined);
  },
  event: (context, { ast }) => {
    const evaluate = compile(ast, context.functions);
    return event => evaluate(undefined, undefined, event, undefined);
  },
  handler: (context, { ast }) => {
    const evaluate = compile(ast, context.functions);
    return (values, event) => evaluate(event.item?.datum, values, event, undefined);
  },
  encode: (context, { marktype = '', channels }) => {
    // Assistive technology sees a chart as one image, so marks need no descriptions.
    const { tooltip, description: _, ...encoded } = channels;
    const sets = Object.entries(encoded).map(([name, { ast }]) => channelSetter(name, compile(ast, context.functions)));
    const tip = tooltip && compile(tooltip.ast, context.functions);
    const adjust = marktype === 'rule' ? null : spatial(encoded, marktype);
    return (item, values) => {
      let changed = false;
      for (const set of sets) if (set(item, values)) changed = true;
      // Computing thousands of tooltips would take as long as the rendering, and only one is visible at a time.
      if (tip) item.tooltip = () => tip(item.datum, values, undefined, item);
      adjust?.(item);
      return changed;
    };
  },
};

const isFontList = (value: string) => /^[\p{L}\p{N}\s,'"._-]+$/u.test(value);
const isKeyword = (value: string) => /^[a-z-]+$/.test(value);

/** Channels that become CSS or a link, with the check that their values must pass. Other values are dropped. */
const pageChannels: Readonly<Record<string, (value: string) => boolean>> = Object.assign(Object.create(null), {
  fill: isCssColor,
  stroke: isCssColor,
  cursor: isKeyword,
  blend: isKeyword,
  font: isFontList,
  href: (value: string) => safeHref(value) !== null,
});

function channelSetter(name: string, evaluate: Evaluate): (item: Item, values: Values) => boolean {
  const isSafe = pageChannels[name];
  let [checked, allowed]: unknown[] = [];
  return (item, values) => {
    let value = evaluate(item.datum, values, undefined, item);
    if (isSafe && typeof value === 'string') {
      // Most items of a mark have the same color as the previous item, so the last result is cached.
      if (value !== checked) [checked, allowed] = [value, isSafe(value) ? value : null];
      value = allowed;
    }
    if (item[name] === value) return false;
    item[name] = value;
    return true;
  };
}

/** Computes position and size from two ends, or from the center and the size, as Vega does. */
function spatial(channels: Encoding['channels'], marktype: string): ((item: Item) => void) | null {
  const swaps = marktype === 'group' || marktype === 'image' || marktype === 'rect';
  const adjusts = [
    adjustAlong(channels, ['x', 'x2', 'xc', 'width'], { swaps }),
    adjustAlong(channels, ['y', 'y2', 'yc', 'height'], { swaps }),
  ].filter(adjust => adjust !== null);
  if (adjusts.length === 0) return null;
  return item => {
    for (const adjust of adjusts) adjust(item);
  };
}

function adjustAlong(
  channels: Encoding['channels'],
  [start, end, middle, length]: readonly [string, string, string, string],
  { swaps }: { readonly swaps: boolean },
): ((item: Item) => void) | null {
  if (!channels[end] && !channels[middle]) return null;
  const number = (value: unknown) => (value ? Number(value) : 0);
  return item => {
    if (channels[end] && channels[start]) {
      if (swaps && Number(item[start]) > Number(item[end])) [item[start], item[end]] = [item[end], item[start]];
      item[length] = Number(item[end]) - Number(item[start]);
    } else if (channels[end]) item[start] = Number(item[end]) - number(item[length]);
    if (channels[middle]) item[start] = Number(item[middle]) - number(item[length]) / 2;
  };
}

/** Functions that read the current event. */
const eventFunctions = new Set(['view', 'item', 'group', 'xy', 'x', 'y']);
/** Keys that an object expression drops. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Compiles a syntax tree to a function. */
function compile(node: Ast, functions: object): Evaluate {
  const part = (child: unknown): Evaluate => {
    if (!isAst(child)) throw new SyntaxError('An expression has an invalid syntax tree.');
    return compile(child, functions);
  };
  const parts = (children: unknown): Evaluate[] => (Array.isArray(children) ? children.map(part) : []);
  switch (node.type) {
    case 'Literal':
      return literal(node);
    case 'Identifier':
      return identifier(String(node.name));
    case 'MemberExpression':
      return memberOf(node, part);
    case 'CallExpression':
      return callOf(node, parts(node.arguments), functions);
    case 'ArrayExpression': {
      const elements = parts(node.elements);
      return (...given) => elements.map(element => element(...given));
    }
    case 'BinaryExpression':
      return functionCall(binary[String(node.operator)], [part(node.left), part(node.right)], undefined);
    case 'UnaryExpression':
      return functionCall(unary[String(node.operator)], [part(node.argument)], undefined);
    case 'ConditionalExpression':
      return choice(part(node.test), part(node.consequent), part(node.alternate));
    case 'LogicalExpression':
      return logical(node.operator, part(node.left), part(node.right));
    case 'ObjectExpression':
      return objectOf(node, part);
    default:
      throw new SyntaxError('An expression uses unsupported syntax.');
  }
}

function literal({ value, regex }: Ast): Evaluate {
  if (!isObject(regex)) return () => value;
  // Each evaluation returns a new instance, so that `lastIndex` is not shared between calls.
  safePattern(regex.pattern, regex.flags);
  return () => safePattern(regex.pattern, regex.flags);
}

function identifier(name: string): Evaluate {
  if (name === 'datum') return datum => datum;
  if (name === 'event') return (_datum, _values, event) => event;
  if (name === 'item') return (_datum, _values, _event, item) => item;
  if (name in constants) {
    const value = constants[name];
    return () => value;
  }
  const key = `$${name}`;
  return (_datum, values) => values?.[key];
}

function memberOf({ object, property, computed }: Ast, part: (child: unknown) => Evaluate): Evaluate {
  const from = part(object);
  const fixed = fixedName(property, computed);
  if (fixed === null) {
    const key = part(property);
    return (...given) => member(from(...given), String(key(...given)));
  }
  // The name of a native property never contains a dot, so the value does not have to be checked.
  if (isAst(object) && object.name === 'datum' && fixed.includes('.')) {
    return datum => (datum as Item)[fixed];
  }
  return (datum, values, event, item) => member(from(datum, values, event, item), fixed);
}

/** Returns the name of a member; `null` if it is computed. */
function fixedName(property: unknown, computed: unknown): string | null {
  if (!isAst(property)) return null;
  if (!computed) return String(property.name);
  return property.type === 'Literal' && !isObject(property.regex) ? String(property.value) : null;
}

function member(object: unknown, key: string): unknown {
  const value = (object as Item)[key];
  if (typeof value === 'function') return undefined;
  return typeof value === 'object' && value instanceof EventTarget ? undefined : value;
}

function callOf({ callee }: Ast, args: readonly Evaluate[], functions: object): Evaluate {
  const written = isAst(callee) ? String(callee.name) : '';
  // Encoders prefix the names of scale functions with an underscore, as in `_scale`.
  const given = written.startsWith('_') ? written.slice(1) : written;
  const name = utcFunctions[given] ?? given;
  const [first, second, third] = args;
  if (name === 'if' && first && second && third) return choice(first, second, third);
  if (eventFunctions.has(name)) {
    return (...all) => {
      const [, , event] = all;
      const found = (event?.vega as Record<string, ExpressionFunction> | undefined)?.[name];
      return found?.apply(event?.vega, args.map(arg => arg(...all)) as never[]);
    };
  }
  const own = Object.hasOwn(builtInFunctions, name) ? builtInFunctions[name] : undefined;
  return functionCall(own ?? (functions as Record<string, ExpressionFunction>)[name], args, functions);
}

/** Returns a call of a known function. Calls with up to two arguments avoid an argument array. */
function functionCall(found: unknown, args: readonly Evaluate[], self: unknown): Evaluate {
  const call = found as ExpressionFunction as (...values: unknown[]) => unknown;
  const [a, b, c] = args;
  if (!a) return () => call.call(self);
  if (!b) return (d, v, e, i) => call.call(self, a(d, v, e, i));
  if (!c) return (d, v, e, i) => call.call(self, a(d, v, e, i), b(d, v, e, i));
  return (d, v, e, i) =>
    call.apply(
      self,
      args.map(arg => arg(d, v, e, i)),
    );
}

function choice(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (d, v, e, i) => (test(d, v, e, i) ? yes(d, v, e, i) : no(d, v, e, i));
}

function logical(operator: unknown, left: Evaluate, right: Evaluate): Evaluate {
  return operator === '&&'
    ? (d, v, e, i) => left(d, v, e, i) && right(d, v, e, i)
    : (d, v, e, i) => left(d, v, e, i) || right(d, v, e, i);
}

function objectOf({ properties }: Ast, part: (child: unknown) => Evaluate): Evaluate {
  const entries = (Array.isArray(properties) ? properties : []).flatMap((property: unknown) => {
    if (!isObject(property) || !isAst(property.key)) return [];
    const { key, value } = property;
    const name = String(key.type === 'Identifier' ? key.name : key.value);
    return forbiddenKeys.has(name) ? [] : [[name, part(value)] as const];
  });
  return (d, v, e, i) => {
    const result: Item = {};
    for (const [name, value] of entries) result[name] = value(d, v, e, i);
    return result;
  };
}

function isAst(value: unknown): value is Ast {
  return isObject(value) && typeof value.type === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
