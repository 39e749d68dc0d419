import { Ajv2020 } from 'ajv/dist/2020.js';
import '../../../src/contract/messages.js';
import type { OperationShape } from '../../../src/contract/operation.js';
import { openApiDocument } from '../../../src/platform/http/openapi.js';
import type { Answer } from '../test-platform.js';

/** A schema of the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface Described {
  readonly parameters: readonly { readonly in: 'path' | 'query'; readonly name: string; readonly schema: JsonSchema }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const self = 'https://platform.example/openapi';
const document = openApiDocument('https://platform.example');
// Each schema is used only a few times, so optimize for compile time.
const quick = { inlineRefs: false, code: { optimize: false } };
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, ...quick });
ajv.addSchema({ ...document, $id: self });

const at = Object(document);
const json = 'application/json';
const contentOf = ({ mediaType }: OperationShape) => `content/${(mediaType ?? json).replace('/', '~1')}/schema`;

/** Returns the description of an operation in the document. */
export function described({ path, method }: OperationShape): Described {
  return at.paths[path][method.toLowerCase()];
}

/** Returns the schema of an operation's body, or `null` if it has none. */
export function bodySchema(operation: OperationShape): JsonSchema | null {
  return Object(described(operation).requestBody).content?.[operation.mediaType ?? json]?.schema ?? null;
}

/** Resolves the reference of a schema. */
export function resolved(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? at.components.schemas[$ref.replace('#/components/schemas/', '')] : schema;
}

/** Returns why a response does not match the document, or `null` if it does. */
export function objection(operation: OperationShape, { status, body }: Answer): string | null {
  const { id } = operation;
  const answer = described(operation).responses[status];
  if (!answer) return `${id}: ${status} is not described: ${JSON.stringify(body)}`;
  if (operation.file && status === 200) return typeof body === 'string' ? null : `${id}: the body is to be a file`;
  if (!answer.content) return body === undefined ? null : `${id}: ${status} is to have no body`;
  const wrong = problemAt(operation, `responses/${status}/${contentOf(operation)}`, body);
  return wrong === null ? null : `${id}: ${wrong} in ${JSON.stringify(body).slice(0, 500)}`;
}

/** Returns why a request body does not match the document, or `null` if it does. */
export function bodyObjection(operation: OperationShape, body: unknown): string | null {
  return problemAt(operation, `requestBody/${contentOf(operation)}`, body);
}

/** Returns why the text of a query parameter does not match the document as any type, or `null` if it does. */
export function queryObjection(operation: OperationShape, name: string, text: string): string | null {
  const index = described(operation).parameters.findIndex(each => each.in === 'query' && each.name === name);
  if (index < 0) return 'there is no such parameter';
  const readings = [text, Number(text), [text], text === 'true'];
  const objections = readings.map(each => problemAt(operation, `parameters/${index}/schema`, each));
  return objections.includes(null) ? null : objections.join('; ');
}

function problemAt(operation: OperationShape, place: string, value: unknown): string | null {
  const { path, method } = operation;
  const keys = place.split('/').map(key => key.replaceAll('~1', '/'));
  const { $ref } = Object(keys.reduce<unknown>((node, key) => Object(node)[key], described(operation)));
  const pointer = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/${place}`;
  // A referenced schema is compiled once, not once per reference.
  const reference = typeof $ref === 'string' ? $ref : `#${pointer.replace(/[{}]/g, encodeURIComponent)}`;
  const validate = ajv.getSchema(self + reference);
  if (!validate) throw new Error(`The document has nothing at ${pointer}.`);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
