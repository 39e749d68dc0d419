import { safeHref } from '../../report/format/safe-href.js';
import { isCssColor } from '../css-color.js';
import {
  binary,
  constants,
  type ExpressionFunction,
  inUtc,
  ownFunctions,
  safePattern,
  unary,
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

/** What an expression is worked out with, where it has them. */
type Evaluate = (datum: unknown, values: Values, event: ViewEvent | undefined, item: Item | undefined) => unknown;

/** Turns parsed expressions into functions; what Vega takes as the option `expr`. */
export interface Interpreter {
  operator(context: Context, expression: Expression): (values: Values) => unknown;
  parameter(context: Context, expression: Expression): (datum: unknown, values: Values) => unknown;
  event(context: Context, expression: Expression): (event: ViewEvent) => unknown;
  handler(context: Context, expression: Expression): (values: Values, event: ViewEvent) => unknown;
  encode(context: Context, encoding: Encoding): (item: Item, values: Values) => boolean;
}

/**
 * Makes of every expression of a specification a function, once, without `eval`: a tree of closures, which costs a fraction of walking its
 * syntax for each row. An expression
 * - sees data and items, never the page: no member that is a function, an element, a window;
 * - can't make the browser load by a colour or a cursor (`url(…)`), nor run by a link;
 * - reads every time as UTC, and can't run without end.
 * A tooltip becomes a function that makes it when it is looked at.
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
    // A chart is one image to assistive technology, so no mark needs a description of its own.
    const { tooltip, description: _, ...drawn } = channels;
    const sets = Object.entries(drawn).map(([name, { ast }]) => channelSetter(name, compile(ast, context.functions)));
    const tip = tooltip && compile(tooltip.ast, context.functions);
    const adjust = marktype === 'rule' ? null : spatial(drawn, marktype);
    return (item, values) => {
      let changed = false;
      for (const set of sets) if (set(item, values)) changed = true;
      // Text for thousands of tooltips would take as long as all the drawing; one at a time is looked at.
      if (tip) item.tooltip = () => tip(item.datum, values, undefined, item);
      adjust?.(item);
      return changed;
    };
  },
};

const isFontList = (value: string) => /^[\p{L}\p{N}\s,'"._-]+$/u.test(value);
const isKeyword = (value: string) => /^[a-z-]+$/.test(value);

/** Channels whose values become CSS or a link, and what they may hold. Anything else is left out. */
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
      // Most items of a mark have the colour of the one before.
      if (value !== checked) [checked, allowed] = [value, isSafe(value) ? value : null];
      value = allowed;
    }
    if (item[name] === value) return false;
    item[name] = value;
    return true;
  };
}

/** Makes of two ends, or of a middle, a beginning and a length, as Vega does. */
function spatial(channels: Encoding['channels'], marktype: string): ((item: Item) => void) | null {
  const swaps = marktype === 'group' || marktype === 'image' || marktype === 'rect';
  const adjusts = [
    adjustAlong(channels, ['x', 'x2', 'xc', 'width'], swaps),
    adjustAlong(channels, ['y', 'y2', 'yc', 'height'], swaps),
  ].filter(adjust => adjust !== null);
  if (adjusts.length === 0) return null;
  return item => {
    for (const adjust of adjusts) adjust(item);
  };
}

function adjustAlong(
  channels: Encoding['channels'],
  [start, end, middle, length]: readonly [string, string, string, string],
  swaps: boolean,
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

/** Functions that tell of the event under way. */
const ofEvent = new Set(['view', 'item', 'group', 'xy', 'x', 'y']);
/** Names that no object of an expression may have. */
const noKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Makes an expression a function of what it is worked out with. */
function compile(node: Ast, functions: object): Evaluate {
  const part = (child: unknown): Evaluate => {
    if (!isAst(child)) throw new SyntaxError('An expression is not one.');
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
      return applied(binary[String(node.operator)], [part(node.left), part(node.right)], undefined);
    case 'UnaryExpression':
      return applied(unary[String(node.operator)], [part(node.argument)], undefined);
    case 'ConditionalExpression':
      return choice(part(node.test), part(node.consequent), part(node.alternate));
    case 'LogicalExpression':
      return logical(node.operator, part(node.left), part(node.right));
    case 'ObjectExpression':
      return objectOf(node, part);
    default:
      throw new SyntaxError('An expression is of no known kind.');
  }
}

function literal({ value, regex }: Ast): Evaluate {
  if (!isObject(regex)) return () => value;
  // One with a place of its own, so that no call begins where another ended.
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
  // Nothing of the page and nothing built in has a name with a dot.
  if (isAst(object) && object.name === 'datum' && fixed.includes('.')) {
    return datum => (datum as Item)[fixed];
  }
  return (datum, values, event, item) => member(from(datum, values, event, item), fixed);
}

/** The name of a member, where it is not worked out. */
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
  // Encoders call a scale `_scale`.
  const given = written.startsWith('_') ? written.slice(1) : written;
  const name = inUtc[given] ?? given;
  const [first, second, third] = args;
  if (name === 'if' && first && second && third) return choice(first, second, third);
  if (ofEvent.has(name)) {
    return (...all) => {
      const [, , event] = all;
      const found = (event?.vega as Record<string, ExpressionFunction> | undefined)?.[name];
      return found?.apply(event?.vega, args.map(arg => arg(...all)) as never[]);
    };
  }
  const own = Object.hasOwn(ownFunctions, name) ? ownFunctions[name] : undefined;
  return applied(own ?? (functions as Record<string, ExpressionFunction>)[name], args, functions);
}

/** A call of a function that is known before: the usual counts of arguments need no list of them. */
function applied(found: unknown, args: readonly Evaluate[], self: unknown): Evaluate {
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
    return noKeys.has(name) ? [] : [[name, part(value)] as const];
  });
  return (d, v, e, i) => {
    const made: Item = {};
    for (const [name, value] of entries) made[name] = value(d, v, e, i);
    return made;
  };
}

function isAst(value: unknown): value is Ast {
  return isObject(value) && typeof value.type === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
