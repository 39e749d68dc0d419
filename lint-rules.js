// Rules of this repository for oxlint (.oxlintrc.json), written as an ESLint plugin.

const maxColumns = 120;

/** Returns the value of a callback that only returns it; `null` for an empty body, `undefined` for any other body. */
function onlyResult({ body }) {
  if (body.type !== 'BlockStatement') return body;
  if (body.body.length === 0) return null;
  const [statement] = body.body;
  return body.body.length === 1 && statement.type === 'ReturnStatement' ? statement.argument : undefined;
}

function isConstant(node) {
  if (node === null || node.type === 'Literal') return true;
  if (node.type === 'Identifier') return node.name === 'undefined';
  if (node.type === 'UnaryExpression') return isConstant(node.argument);
  return node.type === 'ArrayExpression' && node.elements.length === 0;
}

function isSilent(callback) {
  if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') return false;
  const result = onlyResult(callback);
  return result !== undefined && isConstant(result);
}

/** Returns the statement or class member that contains a node. The branch of an `if` without braces belongs to it. */
function enclosing(node) {
  let part = node;
  while (!/Statement$|Declaration$|^PropertyDefinition$/.test(part.type)) part = part.parent;
  while (part.parent.type === 'IfStatement') part = part.parent;
  return part;
}

/** Requires a comment with the reason inside or directly above a `.catch()` or `catch {}` that discards the error. */
const noSilentCatch = {
  meta: {
    type: 'problem',
    messages: { silent: 'The error is discarded. Handle it, or state the reason in a comment on the line above.' },
  },
  create(context) {
    const { sourceCode } = context;
    const hasReason = node => {
      const part = enclosing(node);
      if (sourceCode.getCommentsInside(part).length > 0) return true;
      return sourceCode.getCommentsBefore(part).at(-1)?.loc.end.line === part.loc.start.line - 1;
    };
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.name !== 'catch') return;
        if (isSilent(node.arguments[0]) && !hasReason(node)) context.report({ node, messageId: 'silent' });
      },
      CatchClause(node) {
        const isEmpty = node.body.body.length === 0 && sourceCode.getCommentsInside(node.body).length === 0;
        if (isEmpty) context.report({ node, messageId: 'silent' });
      },
    };
  },
};

/** Limits the lines that consist of a comment; the formatter wraps code, but no comments. */
const commentLength = {
  meta: { type: 'layout', messages: { long: 'The comment is longer than {{maxColumns}} columns.' } },
  create(context) {
    const { sourceCode } = context;
    const check = comment => {
      for (let line = comment.loc.start.line; line <= comment.loc.end.line; line++) {
        const text = sourceCode.lines[line - 1];
        if (text.length <= maxColumns || !/^\s*(\/\/|\/\*|\*)/.test(text) || /https?:\/\//.test(text)) continue;
        const loc = { start: { line, column: 0 }, end: { line, column: text.length } };
        context.report({ loc, messageId: 'long', data: { maxColumns } });
      }
    };
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) check(comment);
      },
    };
  },
};

const isBooleanType = type => type?.type === 'TSBooleanKeyword';
const isEmptyType = type => type?.type === 'TSUndefinedKeyword' || type?.type === 'TSNullKeyword';

/** Returns the name of a parameter with a boolean type or default, otherwise `null`. */
function booleanName(parameter) {
  const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  if (target.type !== 'Identifier') return null;
  const type = target.typeAnnotation?.typeAnnotation;
  const types = type?.type === 'TSUnionType' ? type.types : [type];
  const hasDefault = parameter !== target && typeof parameter.right.value === 'boolean';
  const isFlag = types.some(isBooleanType) && types.every(each => isBooleanType(each) || isEmptyType(each));
  return hasDefault || isFlag ? target.name : null;
}

/**
 * Forbids boolean parameters next to other parameters, because `f(x, true)` does not say what is true. Overrides and the
 * callbacks of other functions take the parameters that are passed to them.
 */
const noBooleanParameter = {
  meta: {
    type: 'suggestion',
    messages: { boolean: 'Pass {{name}} in an object, as a union of names, or write two functions.' },
  },
  create(context) {
    const check = ({ params, parent }) => {
      if (params.length < 2 || parent.override || parent.type === 'CallExpression') return;
      for (const parameter of params) {
        const name = booleanName(parameter);
        if (name !== null) context.report({ node: parameter, messageId: 'boolean', data: { name } });
      }
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
      TSFunctionType: check,
      TSMethodSignature: check,
    };
  },
};

export default {
  meta: { name: 'local' },
  rules: {
    'no-silent-catch': noSilentCatch,
    'comment-length': commentLength,
    'no-boolean-parameter': noBooleanParameter,
  },
};
