// Replaces imports of vega-expression in the prebuilt chunks. The charts of a dashboard consist of the same few
// expressions: those of axes, legends and marks. 24 charts contain 2,700 expressions, but only 170 different ones.
import * as original from 'vega-expression';

type Ast = ReturnType<typeof original.parseExpression>;
type Generate = ReturnType<typeof original.codegenExpression>;

/** Maximum number of cached expressions, and maximum length of one. */
const maxExpressions = 1_000;
const maxLength = 2_000;

const trees = new Map<string, Ast>();

/** Parses an expression. Callers share the syntax tree of equal expressions, and must not change it. */
export function parseExpression(text: string): Ast {
  const known = trees.get(text);
  if (known) return known;
  const tree = original.parseExpression(text);
  if (trees.size < maxExpressions && text.length <= maxLength) trees.set(text, tree);
  return tree;
}

/** Creates a code generator. Its output depends on the syntax tree only, and is cached with it. */
export function codegenExpression(options: Parameters<typeof original.codegenExpression>[0]): Generate {
  const generate = original.codegenExpression(options);
  const outputs = new WeakMap<object, ReturnType<Generate>>();
  const generateCached: Generate = ast => {
    const known = outputs.get(ast);
    if (known) return known;
    try {
      const output = generate(ast);
      outputs.set(ast, output);
      return output;
    } catch (error) {
      // Otherwise, the generator reports names of the failed expression for the next one, which would be cached.
      generate(original.parseExpression('0'));
      throw error;
    }
  };
  return Object.assign(generateCached, generate);
}

export * from 'vega-expression';
