import ts from 'typescript';
import { commentOf, exportedValues, parseFolder } from './source-files.js';

/** Comments of `src/contract/`. */
export interface ContractComments {
  /** Comment of each operation, by operation id. */
  readonly operations: ReadonlyMap<string, string>;
  /** Comment of each exported schema, by name. */
  readonly schemas: ReadonlyMap<string, string>;
  /** Comment of each commented field of an exported schema, by `Schema.field`. */
  readonly fields: ReadonlyMap<string, string>;
  /** Operation id of each exported operation, by name. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Reads the comments of all operations and schemas. */
export function readContractComments(): ContractComments {
  const operations = new Map<string, string>();
  const schemas = new Map<string, string>();
  const fields = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { name, comment, node } of parseFolder('src/contract').flatMap(exportedValues)) {
    const text = withoutReferences(comment);
    const id = operationId(node);
    if (id === null) {
      schemas.set(name, text);
      for (const [field, fieldComment] of commentedFields(node)) fields.set(`${name}.${field}`, fieldComment);
    } else {
      operations.set(id, text);
      ids.set(name, id);
    }
  }
  return { operations, schemas, fields, ids };
}

/** Lists the commented fields of the object that a schema is created from. */
function commentedFields(node: ts.Node): [string, string][] {
  const shapes = ts.isCallExpression(node) ? node.arguments.filter(ts.isObjectLiteralExpression) : [];
  return shapes
    .flatMap(({ properties }) => [...properties])
    .map((property): [string, string] => [property.name?.getText() ?? '', withoutReferences(commentOf(property))])
    .filter(([, comment]) => comment !== '');
}

function operationId(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'operation') return null;
  const [shape] = node.arguments;
  if (!shape || !ts.isObjectLiteralExpression(shape)) return null;
  const id = shape.properties.find(property => property.name?.getText() === 'id');
  return id && ts.isPropertyAssignment(id) && ts.isStringLiteral(id.initializer) ? id.initializer.text : null;
}

/** Removes references to the specification, which readers of the site do not have, and sentences about it. */
function withoutReferences(comment: string): string {
  return comment
    .replace(/\s*\([^()]*\bspec \d[^()]*\)|\s*\((?:domain|operations)\.md\b[^()]*\)/g, '')
    .split('\n\n')
    .map(withoutSentencesAboutSpec)
    .filter(Boolean)
    .join('\n\n');
}

/** Sentences about the specification, or about how the declaration is written. */
const aboutSpec = /\boperations\s+document\b|\b[Tt]he\s+specification\b|\bis only typed\b/;

function withoutSentencesAboutSpec(paragraph: string): string {
  if (!aboutSpec.test(paragraph)) return paragraph.trim();
  const sentences = paragraph.split(/(?<=\.)\s+/);
  return sentences.filter(sentence => !aboutSpec.test(sentence)).join(' ');
}
