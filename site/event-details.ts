import ts from 'typescript';
import { inlineHtml } from './markdown.js';
import { commentOf, parseFolder } from './source-files.js';

/** A field of the detail of an event. */
export interface DetailField {
  readonly name: string;
  readonly type: string;
  /** The comment of the field, as HTML. */
  readonly html: string;
}

/** Reads the fields of `detail` of each event class, by class name. Classes without a detail have no fields. */
export function readEventDetails(): Map<string, readonly DetailField[]> {
  const files = parseFolder('src/controllers', /event(?:s)?\.ts$/);
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  const classes: ts.ClassDeclaration[] = [];
  for (const statement of files.flatMap(file => [...file.statements])) {
    if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, statement);
    if (ts.isClassDeclaration(statement)) classes.push(statement);
  }
  const fieldsOf = (name: string): DetailField[] => {
    const declaration = interfaces.get(name);
    if (!declaration) return [];
    const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) => fieldsOf(expression.getText())),
    );
    return [...inherited, ...declaration.members.filter(ts.isPropertySignature).map(toField)];
  };
  return new Map(
    classes.map(({ name, members }) => {
      const detail = members.find(member => ts.isPropertyDeclaration(member) && member.name.getText() === 'detail');
      const type = detail && ts.isPropertyDeclaration(detail) ? detail.type?.getText() : undefined;
      return [name?.text ?? '', fieldsOf(type ?? '')];
    }),
  );
}

function toField(member: ts.PropertySignature): DetailField {
  return {
    name: member.name.getText(),
    type: (member.type?.getText() ?? 'unknown').replace(/\s+/g, ' '),
    html: inlineHtml(commentOf(member)),
  };
}
