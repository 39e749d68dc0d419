import { Hono } from 'hono';
import {
  applyContentBatch,
  type BatchOperation,
  type BatchStep,
  type ContentKind,
  getManagedContent,
} from '../contract/content-batches.js';
import type { Principal } from './auth/principal.js';
import { BatchPreparation } from './batch-preparation.js';
import { mountEmbedAccess } from './content/embed-access.js';
import * as store from './content/managed-content-store.js';
import { mountReports } from './content/reports/reports.js';
import { mountWorkbooks } from './content/workbooks/workbooks.js';
import { mountFolders } from './content/workspace/folders.js';
import { mountWorkspace } from './content/workspace/workspace.js';
import type { Db } from './db/database.js';
import { mountNotifications } from './delivery/notifications.js';
import { mountNotificationRecipients } from './delivery/recipients.js';
import { PlatformError } from './errors.js';
import { requireManager } from './http/access.js';
import { operations } from './http/operations.js';
import { requestIdOf } from './http/request-id.js';
import type { RouteDeps } from './http/route-deps.js';
import { serve, transact } from './http/serve.js';
import { mountEnvVariables } from './models/env-variables.js';
import { requireDeployment } from './models/require-deployment.js';
import { mountAccountGroups } from './people/account-groups.js';
import { mountRoles } from './people/roles.js';
import { TaskQueue } from './runtime/task-queue.js';

/** Mounts the routes for content as code: execute several operations in one transaction, and list managed content. */
export function mountContentBatches(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getManagedContent, deps, async ({ params, query, principal }) => {
    requireManager(principal);
    await requireDeployment(db, principal, params.deploymentId);
    return { ...(await store.listManagedContent(db, params.deploymentId, query)) };
  });

  serve(app, applyContentBatch, deps, async ({ params: { deploymentId }, body, principal, request }) => {
    requireManager(principal);
    await requireDeployment(db, principal, deploymentId);
    const { owner, placeholder, steps, adopt } = body;
    // Each step adds its own audit log entry.
    const writer = { principal, request, target: { deploymentId, owner, steps: steps.length } };
    const apply = () => {
      // Charts are compiled outside of the transaction, because this takes time.
      const preparation = new BatchPreparation(deps, Date.now() + maxBatchMs);
      const prepared = { ...deps, ...preparation.functions };
      return preparation.run(requireResults =>
        transact(db, applyContentBatch.id, writer, async tx => {
          const batch = new Batch(tx, prepared, { deploymentId, owner, placeholder, principal, request });
          for (const step of steps) {
            preparation.requireTime();
            await batch.run(step);
          }
          await store.assignOwner(tx, { deploymentId, owner }, adopt ?? []);
          requireResults();
          return { results: batch.results.map(result => ({ ...result })) };
        }),
      );
    };
    return batches.run(String(deploymentId), apply, request.signal);
  });
}

/** Limits concurrent batches, because each holds a database connection and locks on its content. */
const batches = new TaskQueue({
  concurrency: 2,
  queueLimit: 20,
  rejection: () => new PlatformError(503, 'Too many batches are running. Try again in a moment.'),
});
const maxBatchMs = 120_000;

/** Operations that can create an object, and its kind. */
const creations: Partial<Record<BatchOperation, ContentKind>> = {
  createFolder: 'folder',
  upsertReportByPublicId: 'report',
  upsertWorkbookBySlug: 'workbook',
  createNotification: 'notification',
  createRole: 'role',
  createAccountGroup: 'group',
  setEnvVariables: 'variable',
};

/** Ids of the object that an operation returned. */
interface Result {
  readonly id?: number;
  readonly publicId?: string;
}

interface BatchContext extends store.Owner {
  readonly placeholder: number;
  readonly principal: Principal;
  readonly request: Request;
}

const named = new Map(operations.map(operation => [operation.id, operation]));

/** Origin of the requests inside a batch, which are never sent over the network. */
const origin = 'http://batch.invalid';

/** Executes the steps of one batch in a transaction. */
class Batch {
  readonly results: Result[] = [];
  readonly #tx: Db;
  readonly #context: BatchContext;
  readonly #app: Hono;
  #failure: Error | null = null;

  constructor(tx: Db, deps: RouteDeps, context: BatchContext) {
    this.#tx = tx;
    this.#context = context;
    // Mount the routes of the operations with the transaction as the database, and with the caller of the batch.
    const inBatch = { ...deps, db: tx, authenticate: async () => context.principal };
    this.#app = new Hono({ strict: false });
    mountWorkbooks(this.#app, inBatch);
    mountEmbedAccess(this.#app, inBatch);
    mountReports(this.#app, inBatch);
    mountFolders(this.#app, inBatch);
    mountWorkspace(this.#app, inBatch);
    mountRoles(this.#app, inBatch);
    mountAccountGroups(this.#app, inBatch);
    mountNotifications(this.#app, inBatch);
    mountNotificationRecipients(this.#app, inBatch);
    mountEnvVariables(this.#app, inBatch);
    this.#app.onError((error, context) => {
      this.#failure = error;
      return context.body(null, 500);
    });
  }

  /** @throws PlatformError that names the step, if its operation fails. */
  async run(step: BatchStep): Promise<void> {
    const index = this.results.length;
    try {
      if (step.creates != null && creations[step.operation] !== step.creates) {
        throw new PlatformError(400, `creates: ${step.operation} does not create a ${step.creates}`);
      }
      const creates = step.creates == null ? null : await this.#created(step.creates, step);
      if (step.operation === 'deleteWorkbook') await this.#requireEmpty(step);
      const response = await this.#app.request(this.#requestOf(step));
      if (this.#failure !== null) throw this.#failure;
      const text = await response.text();
      const result = resultOf(text === '' ? null : JSON.parse(text));
      this.results.push(result);
      if (creates) await store.assignOwner(this.#tx, this.#context, [{ ...creates, id: result.id }]);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const { status, code, details, cause } = error;
      const message = `steps.${index}: ${this.#withPlaceholders(error.message)}`;
      throw new PlatformError(status, message, { ...(code && { code }), ...(details && { details }), cause });
    }
  }

  /** Returns the object that a step creates; `null` if it exists, for example because another client created it. */
  async #created(kind: ContentKind, step: BatchStep): Promise<store.ObjectRef | null> {
    const object = { kind, name: nameOf(step) };
    const exists = object.name !== null && (await store.objectExists(this.#tx, this.#context.deploymentId, object));
    return exists ? null : object;
  }

  /**
   * Rejects the deletion of a workbook with reports. The applied files do not contain these reports: other users may
   * have created them since the changes were planned.
   */
  async #requireEmpty({ params }: BatchStep): Promise<void> {
    const { workbookId } = Object(this.#resolve({ ...params }));
    if (!(await store.hasReports(this.#tx, Number(workbookId)))) return;
    throw new PlatformError(409, 'The workbook contains other reports, so it was not removed.');
  }

  #requestOf({ operation, params, body }: BatchStep): Request {
    const { method, path } = shapeOf(operation);
    const { deploymentId, request } = this.#context;
    const values = Object(this.#resolve({ ...params, deploymentId }));
    const url = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const segment = typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : '';
      if (!/[^.]/.test(segment))
        throw new PlatformError(400, `params.${name}: is required, because the path contains it`);
      return segment;
    });
    const requestId = requestIdOf(request);
    const headers = { 'content-type': 'application/json', ...(requestId !== null && { 'x-request-id': requestId }) };
    const sent = body == null ? {} : { body: JSON.stringify(this.#resolve(body)) };
    return new Request(new URL(url, origin), { method, headers, ...sent });
  }

  /** Replaces placeholders with the ids that earlier steps returned. */
  #resolve(value: unknown): unknown {
    if (typeof value === 'number') return this.#idOf(value) ?? value;
    if (typeof value === 'string') {
      const id = /^-\d{4,16}$/.test(value) ? this.#idOf(Number(value)) : undefined;
      return id === undefined ? value : String(id);
    }
    if (Array.isArray(value)) return value.map(each => this.#resolve(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#resolve(each)]));
  }

  #idOf(number: number): number | undefined {
    const index = this.#context.placeholder - number;
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.results.length) return undefined;
    return this.results[index]?.id;
  }

  #withPlaceholders(message: string): string {
    return message.replace(/\b(report|workbook|folder|dashboard) (\d+)\b/g, (text, noun: string, id: string) => {
      const index = this.results.findIndex(result => String(result.id) === id);
      return index < 0 ? text : `${noun} ${this.#context.placeholder - index}`;
    });
  }
}

function shapeOf(id: BatchOperation) {
  const shape = named.get(id);
  if (!shape) throw new Error(`The contract has no operation ${id}.`);
  return shape;
}

/** Returns the name of the object that a step writes, if it has one before it exists. */
function nameOf({ params, body }: BatchStep): string | null {
  const variables: unknown = body?.env_variables;
  const variable: unknown = Array.isArray(variables) ? Object(variables[0]).name : undefined;
  const name = params?.publicId ?? params?.slug ?? variable;
  return typeof name === 'string' ? name : null;
}

function resultOf(answer: unknown): Result {
  const { id, publicId } = Object(answer);
  return { ...(typeof id === 'number' && { id }), ...(typeof publicId === 'string' && { publicId }) };
}
