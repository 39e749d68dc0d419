import type { OperationShape } from '../src/contract/operation.js';
import { openApiDocument } from '../src/platform/http/openapi.js';
import { documents, families, familyTitle } from './api-families.js';
import { type ClientCall, readClientCalls } from './client-calls.js';
import { type ContractComments, readContractComments } from './contract-comments.js';
import { displayName, type Field, fieldOf, fieldsOf, type JsonSchema, type Schemas, typeOf } from './json-schema.js';
import { highlight, inlineHtml, markdownHtml, plainText } from './markdown.js';
import { bodySample, responseSample, sampleOf } from './samples.js';

/** A request or response body. */
export interface BodyView {
  readonly type: string;
  /** Name of its schema; `null` if only this operation uses it. */
  readonly schema: string | null;
  readonly fields: readonly Field[];
}

/** The page of an operation. */
export interface OperationPage {
  readonly url: string;
  readonly id: string;
  readonly title: string;
  readonly family: string;
  readonly familyUrl: string;
  readonly method: string;
  readonly path: string;
  /** First sentence of the description, as text. */
  readonly summary: string;
  readonly html: string;
  readonly access: string;
  readonly pathFields: readonly Field[];
  readonly queryFields: readonly Field[];
  readonly body: BodyView | null;
  readonly response: BodyView | null;
  /** Describes a successful response that is not JSON. */
  readonly success: string;
  /** Body of the examples; `undefined` if the operation has none. */
  readonly sample: unknown;
  readonly errors: readonly { readonly status: string; readonly html: string }[];
  readonly examples: readonly { readonly title: string; readonly html: string }[];
}

/** The page of a named schema. */
export interface SchemaPage {
  readonly url: string;
  readonly name: string;
  readonly html: string;
  readonly type: string;
  readonly fields: readonly Field[];
  readonly sample: string;
}

/** The operations of one or more families with the same title. */
export interface FamilyPage {
  readonly url: string;
  readonly title: string;
  readonly operations: readonly OperationPage[];
}

/** All pages of the API reference. */
export interface ApiReference {
  readonly families: readonly FamilyPage[];
  readonly operations: readonly OperationPage[];
  readonly schemas: readonly SchemaPage[];
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: JsonSchema }[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: JsonContent }>>;
}

interface JsonContent {
  readonly 'application/json'?: { readonly schema: JsonSchema };
  readonly 'application/scim+json'?: { readonly schema: JsonSchema };
  readonly 'multipart/form-data'?: { readonly schema: JsonSchema };
}

/** Returns the schema of a body that is JSON or a form. */
function schemaIn(content: JsonContent | undefined): JsonSchema | undefined {
  const body = content?.['application/json'] ?? content?.['application/scim+json'] ?? content?.['multipart/form-data'];
  return body?.schema;
}

/** Returns the content of a successful response. */
function successIn({ responses }: Described): JsonContent | undefined {
  return (responses[200] ?? responses[201])?.content;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Schemas };
}

/** Descriptions of the responses of operations that return a stream. */
const streams: Readonly<Record<string, string>> = {
  sqlV1: 'Lines of JSON: the schema, then the rows.',
  resumeUiMessages: 'A UI message stream of the AI SDK, or no content (204).',
  runAgUi: 'A stream of AG-UI events.',
  streamChatState: 'A stream of frames: [lines of JSON, or Server-Sent Events](/chat/#the-chat-api).',
  streamUiMessages: 'A UI message stream of the AI SDK.',
};

/** Base of the paths of the Data API. */
const dataPath = '/data-api';

/** Generates the pages of all operations and schemas. */
export function readApiReference(): ApiReference {
  const described = documents.map(
    each => openApiDocument('https://analytics.example.com', each) as unknown as Document,
  );
  const comments = readContractComments();
  const builder = new PageBuilder(described, comments, readClientCalls(comments.ids));
  const operations = families.flatMap(({ name, operations: shapes }) =>
    shapes.map(shape => builder.operationPage(name, shape)),
  );
  const urls = [...new Set(operations.map(({ familyUrl }) => familyUrl))];
  const pages = urls.map(url => {
    const members = operations.filter(({ familyUrl }) => familyUrl === url);
    return { url, title: members[0]?.family ?? '', operations: members };
  });
  return {
    families: pages.sort((a, b) => a.title.localeCompare(b.title, 'en')),
    operations: pages.flatMap(page => page.operations),
    schemas: builder.schemaPages(),
  };
}

/** Returns the address of the page of a schema. */
export const schemaUrl = (name: string): string => `/api/schemas/${kebab(name)}/`;

const kebab = (name: string): string => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase();

class PageBuilder {
  readonly #operations: readonly Described[];
  readonly #schemas: Schemas;
  readonly #comments: ContractComments;
  readonly #calls: ReadonlyMap<string, ClientCall>;

  constructor(documented: readonly Document[], comments: ContractComments, calls: ReadonlyMap<string, ClientCall>) {
    this.#operations = documented.flatMap(({ paths }) => Object.values(paths).flatMap(each => Object.values(each)));
    this.#schemas = Object.assign({}, ...documented.map(({ components }) => components.schemas));
    this.#comments = comments;
    this.#calls = calls;
  }

  operationPage(familyName: string, shape: OperationShape): OperationPage {
    const { id, method, api } = shape;
    const described = this.#operations.find(({ operationId }) => operationId === id);
    const comment = this.#comments.operations.get(id) ?? '';
    if (!described || comment === '') throw new Error(`Add a comment to the operation ${id} in src/contract/.`);
    const { title: family, slug } = familyTitle(familyName);
    const path = api === 'data' ? `${dataPath}${shape.path}` : shape.path;
    const fieldsIn = (place: string): Field[] =>
      described.parameters
        .filter(parameter => parameter.in === place)
        .map(({ name, schema, required }) => fieldOf(name, schema, { isRequired: required }));
    const text = withoutRoute(comment);
    const bodySchema = schemaIn(described.requestBody?.content);
    const sample = bodySchema && bodySample(id, bodySchema, this.#schemas);
    return {
      url: `/api/${slug}/${kebab(id)}/`,
      id,
      title: titleOf(described.summary),
      family,
      familyUrl: `/api/${slug}/`,
      method,
      path,
      summary: plainText(text).split(/(?<=\.)\s/)[0] ?? '',
      html: markdownHtml(text),
      access: accessText(shape, described),
      pathFields: fieldsIn('path'),
      queryFields: fieldsIn('query'),
      body: this.#bodyView(described.requestBody?.content),
      response: id in streams ? null : this.#bodyView(successIn(described)),
      success: inlineHtml(streams[id] ?? fileText(shape) ?? 'No content (204).'),
      errors: api === 'data' ? [] : errorsOf(described),
      sample,
      examples: this.#examples(shape, { path, described, body: sample }),
    };
  }

  schemaPages(): SchemaPage[] {
    const schemas = this.#schemas;
    return Object.entries(schemas).map(([name, schema]) => ({
      url: schemaUrl(name),
      name,
      html: markdownHtml(this.#comments.schemas.get(displayName(name)) ?? ''),
      type: typeOf(schema),
      fields: this.#fieldsOf(name, schema),
      sample: highlight(toJson(sampleOf(schema, schemas, { isRequest: name.endsWith('Input') })), 'json'),
    }));
  }

  #bodyView(content: JsonContent | undefined): BodyView | null {
    const schema = schemaIn(content);
    if (!schema) return null;
    const view = fieldOf('', schema, { isRequired: true });
    const named = view.schema === null ? undefined : this.#schemas[view.schema];
    const fields = named && view.fields.length === 0 ? this.#fieldsOf(view.schema ?? '', named) : view.fields;
    return { type: view.type, schema: named && fields !== view.fields ? view.schema : null, fields };
  }

  #fieldsOf(name: string, schema: JsonSchema): Field[] {
    return fieldsOf(schema, {
      describe: field => inlineHtml(this.#comments.fields.get(`${displayName(name)}.${field}`) ?? ''),
    });
  }

  #examples(
    shape: OperationShape,
    { path, described, body }: { readonly path: string; readonly described: Described; readonly body: unknown },
  ): { title: string; html: string }[] {
    const schemas = this.#schemas;
    const params = Object.fromEntries(
      described.parameters
        .filter(parameter => parameter.in === 'path')
        .map(({ name, schema }) => [name, sampleOf(schema, schemas, { isRequest: true, name })]),
    );
    const call = this.#calls.get(shape.id);
    const response = schemaIn(successIn(described));
    return [
      { title: 'curl', html: highlight(curlCommand(shape, fillPath(path, params), body), 'bash') },
      ...(call
        ? [{ title: 'pa-embed/client', html: highlight(clientCode(shape, call, { params, body }), 'javascript') }]
        : []),
      ...(response && !(shape.id in streams)
        ? [
            {
              title: 'Response',
              html: highlight(toJson(responseSample(shape.id, response, schemas)), 'json'),
            },
          ]
        : []),
    ];
  }
}

/** Describes the file that an operation returns; `undefined` for JSON. */
function fileText({ file }: OperationShape): string | undefined {
  return file && `A file as an attachment: ${file.map(type => `\`${type}\``).join(' or ')}.`;
}

function accessText({ api, access }: OperationShape, { description }: Described): string {
  if (api === 'data') return inlineHtml('Requires a [data token](/data-api/#authentication).');
  if (api === 'chat')
    return inlineHtml('Requires an embed token, a chat token, or [the key of an admin](/chat/#the-chat-api).');
  return inlineHtml(
    access === 'public' ? 'Requires no `Authorization` header: the body contains the credential.' : description,
  );
}

function errorsOf({ responses }: Described): { status: string; html: string }[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => ({ status, html: inlineHtml(description) }));
}

/** Writes abbreviations in capital letters, and removes the version of the Data API. */
const titleOf = (summary: string): string =>
  summary.replace(/ v1$/, '').replace(/\b(?:ai|api|id|sql)\b/gi, word => word.toUpperCase());

/** Removes the route that some comments begin with; the page shows it anyway. */
function withoutRoute(comment: string): string {
  const text = comment.replace(/^`[A-Z]+ [^`]+`[^:]*: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Writes short values on one line. */
function compactJson(value: unknown): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  return line.length <= 50 ? line : toJson(value);
}

function curlCommand({ api, method, access, form }: OperationShape, path: string, body: unknown): string {
  const credential = { platform: 'Bearer $PA_ADMIN_KEY', chat: 'Api-Key $PA_ADMIN_KEY', data: '$data' }[api];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${path}"`,
    ...(access === 'public' ? [] : [`-H "Authorization: ${credential}"`]),
    ...(form ? formOptions(body) : jsonOptions(body)),
  ].join(' \\\n  ');
}

function jsonOptions(body: unknown): string[] {
  return body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${compactJson(body)}'`];
}

function formOptions(body: unknown): string[] {
  return Object.entries(Object(body)).map(([name, value]) => `-F '${name}=${name === 'file' ? '@' : ''}${value}'`);
}

/** Writes the fields of a form as JavaScript source. */
function formSource(body: unknown): string {
  return toSource(body).replace(/\bfile: ('[^']*')/, 'file: new File([content], $1)');
}

function clientCode(
  { api }: OperationShape,
  call: ClientCall,
  { params, body }: { readonly params: Readonly<Record<string, unknown>>; readonly body: unknown },
): string {
  const [connection, settings] =
    api === 'data'
      ? ['data', '{ baseUrl: dataApiUrl, token: dataToken }']
      : ['platform', '{ baseUrl: process.env.BASE, token: process.env.PA_ADMIN_KEY }'];
  const args = call.parameters.flatMap(parameter => {
    if (parameter === 'connection') return [connection];
    if (parameter === 'params') return Object.keys(params).length > 0 ? [toSource(params)] : [];
    if (parameter in params) return [toSource(params[parameter])];
    if (parameter === 'form') return [formSource(body)];
    const value = parameter === 'input' || parameter === 'body' ? body : Object(body)[parameter];
    return value === undefined ? [] : [toSource(value)];
  });
  return `import { ${call.name} } from 'pa-embed/client';

const ${connection} = ${settings};
await ${call.name}(${args.join(', ')});`;
}

/** Writes a value as JavaScript source. Lists and short objects are on one line. */
function toSource(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map(each => toSource(each, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  const entries = Object.entries(value).map(([key, each]) => `${sourceKey(key)}: ${toSource(each, deeper)}`);
  const line = entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  return line.length <= 60 ? line : `{\n${entries.map(entry => `${deeper}${entry},\n`).join('')}${indent}}`;
}

const sourceKey = (key: string): string => (/^\w+$/.test(key) ? key : `'${key}'`);
