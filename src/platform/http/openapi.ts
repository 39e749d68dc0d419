import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { PlatformErrorBody } from '../../contract/error.js';
import type { OperationShape, Schema } from '../../contract/operation.js';
import { ScimError } from '../../contract/scim.js';
import { getSpec } from '../../contract/spec.js';
import { IdParam, type JsonObject } from '../../contract/wire.js';
import { type Family, families } from './operations.js';
import type { RouteDeps } from './route-deps.js';
import { serve } from './serve.js';

type JsonSchema = Record<string, unknown>;

/** Named schemas, by name. */
type Components = Map<string, JsonSchema>;

const schemaPath = '#/components/schemas/';

const roleNames = {
  public: 'no `Authorization` header: the body contains the credential',
  authenticated: 'any credential',
  viewer: 'the role AI BI Viewer or above',
  user: 'the role AI BI User or above',
  developer: 'the role AI BI Developer or above',
  admin: 'the admin role',
} as const;

/**
 * Generates the OpenAPI 3.1 document of the Platform API from the declarations that the routes are mounted from.
 * @param serverUrl - public URL of the platform.
 * @param documented - groups of operations to describe. Defaults to all groups of the Platform API.
 */
export function openApiDocument(serverUrl: string, documented: readonly Family[] = families): JsonObject {
  const describe = new Describer(documented);
  const paths: Record<string, JsonSchema> = {};
  for (const family of documented) {
    for (const operation of family.operations) {
      const described = { [operation.method.toLowerCase()]: describe.operation(operation, family) };
      paths[operation.path] = { ...paths[operation.path], ...described };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Platform API', version: '1.0.0' },
    servers: [{ url: serverUrl }],
    tags: documented.map(({ name }) => ({ name })),
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...describe.components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    },
  };
}

class Describer {
  readonly components: Components = new Map();
  readonly #names = z.registry<{ id: string }>();

  constructor(documented: readonly Family[]) {
    const named = new Set<Schema>();
    for (const [name, schema] of documented.flatMap(family => family.schemas)) {
      // Skips schemas of parameters, which are described individually.
      if (named.has(schema) || /(?:Params?|PageQuery)$/.test(name)) continue;
      named.add(schema);
      this.#names.add(schema, { id: name });
    }
    this.#names.add(PlatformErrorBody, { id: 'PlatformError' });
  }

  operation(operation: OperationShape, { name }: Family): JsonSchema {
    const { id, access, params, path, query, body, form, errors } = operation;
    const failures = { ...(access === 'public' ? {} : denials), ...((body ?? form) && bodyFailures), ...errors };
    return {
      operationId: id,
      summary: sentenceOf(id),
      description: `Requires ${roleNames[access]}.`,
      tags: [name],
      ...(access === 'public' && { security: [] }),
      parameters: [...this.#parameters('path', params, path), ...this.#parameters('query', query, path)],
      // A body whose fields are all optional may be omitted (operations document, cross-cutting observations).
      ...(body && { requestBody: { content: this.#json(body, 'input', operation) } }),
      ...(form && {
        requestBody: { required: true, content: { 'multipart/form-data': { schema: this.#schema(form, 'input') } } },
      }),
      responses: {
        ...this.#success(operation),
        ...Object.fromEntries(
          Object.entries({
            400: 'The request is invalid. The message names the field.',
            414: 'The URL is too long.',
            ...failures,
          }).map(([status, reason]) => [
            status,
            {
              description: reason,
              content: this.#json(operation.mediaType ? ScimError : PlatformErrorBody, 'output', operation),
            },
          ]),
        ),
      },
    };
  }

  #success(operation: OperationShape): JsonSchema {
    const { response, file, isCreation } = operation;
    const binary = { schema: { type: 'string', format: 'binary' } };
    if (file)
      return { 200: { description: 'The file.', content: Object.fromEntries(file.map(type => [type, binary])) } };
    if (response === null) return { 204: { description: 'Done.' } };
    return {
      [isCreation ? 201 : 200]: { description: 'Success.', content: this.#json(response, 'output', operation) },
    };
  }

  #parameters(place: 'path' | 'query', schema: Schema | undefined, path: string): JsonSchema[] {
    if (!schema) return [];
    const { properties = {}, required = [] } = this.#definition(this.#schema(schema, 'input')) as {
      properties?: Record<string, JsonSchema>;
      required?: readonly string[];
    };
    return Object.entries(properties)
      .filter(([name]) => place === 'query' || path.includes(`{${name}}`))
      .map(([name, each]) => ({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: each,
      }));
  }

  /** Resolves a schema that is only a reference. */
  #definition(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    return typeof $ref === 'string' ? (this.components.get($ref.slice(schemaPath.length)) ?? schema) : schema;
  }

  #json(schema: Schema, io: 'input' | 'output', { mediaType }: OperationShape): JsonSchema {
    return { [mediaType ?? 'application/json']: { schema: this.#schema(schema, io) } };
  }

  /** Converts a schema to JSON Schema and adds named schemas to the components. */
  #schema(schema: Schema, io: 'input' | 'output'): JsonSchema {
    const suffix = io === 'input' ? 'Input' : '';
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io,
      metadata: this.#names,
      // Outputs of transforms cannot be described as JSON Schema, but responses have no transforms.
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        if (zodSchema !== IdParam) return;
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: 'integer', minimum: 1 });
      },
    });
    for (const [name, definition] of Object.entries($defs)) {
      this.components.set(`${name}${suffix}`, withRefs(definition, suffix) as JsonSchema);
    }
    // If the schema is named, this is only a reference.
    return withRefs(own, suffix) as JsonSchema;
  }
}

const denials = {
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The credential is valid, but does not allow this operation.',
  429: 'The caller has sent too many requests. Retry after the delay in Retry-After.',
} as const;

const bodyFailures = {
  408: 'The body did not arrive in time.',
  413: 'The body is too large.',
  415: 'The media type of the body is not the one that the operation requires, or the body is compressed.',
} as const;

/** Changes references to a schema's own definitions into references to the components of the document. */
function withRefs(value: unknown, suffix: string): unknown {
  if (Array.isArray(value)) return value.map(item => withRefs(item, suffix));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) =>
      key === '$ref' && typeof entry === 'string'
        ? [key, `${entry.replace('#/$defs/', schemaPath)}${suffix}`]
        : [key, withRefs(entry, suffix)],
    ),
  );
}

/** Converts `updateWorkbookDashboard` to "Update workbook dashboard". */
function sentenceOf(id: string): string {
  const words = id.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Mounts the operation that returns the OpenAPI document (spec 1, operations.md, OpenAPI Spec). */
export function mountSpec(app: Hono, deps: RouteDeps): void {
  let document: JsonObject | undefined;
  serve(app, getSpec, deps, async () => (document ??= openApiDocument(deps.publicUrl)));
}
