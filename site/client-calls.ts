import ts from 'typescript';
import { type ExportedValue, exportedValues, parseFolder } from './source-files.js';

/** A function of `pa-embed/client` that calls an operation. */
export interface ClientCall {
  readonly name: string;
  readonly comment: string;
  /** Names of its parameters: `connection`, `params` or one path parameter, and `input`. Without `options`. */
  readonly parameters: readonly string[];
}

/**
 * Finds the client function of each operation, by operation id.
 * @param ids - operation id of each exported operation of the contract, by name.
 */
export function readClientCalls(ids: ReadonlyMap<string, string>): Map<string, ClientCall> {
  const calls = new Map<string, ClientCall>();
  for (const file of [...parseFolder('src/client/operations'), ...parseFolder('src/client/data')]) {
    const aliases = importAliases(file);
    for (const value of exportedValues(file)) {
      const id = ids.get(operationName(value.node, aliases, ids) ?? '');
      if (id !== undefined && !calls.has(id)) calls.set(id, toCall(value));
    }
  }
  return calls;
}

/** Returns the contract names of renamed imports, by local name. */
function importAliases(file: ts.SourceFile): Map<string, string> {
  const aliases = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) && node.propertyName) aliases.set(node.name.text, node.propertyName.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return aliases;
}

/** Returns the first name below a node that is an operation of the contract. */
function operationName(
  node: ts.Node,
  aliases: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string>,
): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ids.has(node.name.text)) return node.name.text;
  if (ts.isIdentifier(node)) {
    const name = aliases.get(node.text);
    if (name !== undefined && ids.has(name)) return name;
  }
  return ts.forEachChild(node, child => operationName(child, aliases, ids));
}

function toCall({ name, comment, node }: ExportedValue): ClientCall {
  return { name, comment, parameters: parametersOf(node).filter(parameter => parameter !== 'options') };
}

function parametersOf(node: ExportedValue['node']): string[] {
  if (ts.isFunctionDeclaration(node)) return node.parameters.map(({ name: parameter }) => parameter.getText());
  const id = ts.isCallExpression(node) ? node.arguments[1] : undefined;
  return ['connection', id && ts.isStringLiteral(id) ? id.text : 'params', 'input'];
}
