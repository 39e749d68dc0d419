import { randomInt } from 'node:crypto';
import { PaError } from '../client/errors.js';
import { applyContentBatch } from '../client/operations/content-batches.js';
import type { AdoptedObject, BatchOperation, BatchStep, ContentKind } from '../contract/content-batches.js';
import type { BodyOf, OperationShape, ParamsOf } from '../contract/operation.js';
import { ContentError, type ContentProblem, type FilePath, type Located } from './content.js';
import type { Target } from './deployment-state.js';

/** An operation of a batch, as the contract declares it. */
type Operation = OperationShape & { readonly id: BatchOperation };

/** Input of a call in a batch. The batch adds the deployment. */
type Input<O extends Operation> = {
  readonly params?: Omit<ParamsOf<O> & object, 'deploymentId'>;
  readonly body?: BodyOf<O>;
  /** File of the object, for problems. */
  readonly source?: Located<unknown>;
  /** Kind of the object that the call creates. The owner of the files then owns the object. */
  readonly creates?: ContentKind | undefined;
};

/** Time limit of a batch, in ms. */
const timeoutMs = 600_000;

/** Maps fields of a request body to the fields of a file, if the names differ. */
const sentAs: ReadonlyMap<PropertyKey, FilePath> = new Map<PropertyKey, FilePath>([
  ['jsonQuery', ['query']],
  ['folderId', ['folder']],
  ['workbookId', ['workbook']],
  ['roleId', ['role']],
  ['customCron', ['schedule']],
]);

/** Calls of operations that are executed in one transaction: all of them, or none. */
export class ContentBatch {
  readonly #steps: BatchStep[] = [];
  readonly #sources: (Located<unknown> | undefined)[] = [];
  readonly #adopted: AdoptedObject[] = [];
  /** Later steps refer to the result of step `n` by this number minus `n`. Random, so that no content contains it. */
  readonly #placeholder = -(2 ** 52 + randomInt(2 ** 47));

  get isEmpty(): boolean {
    return this.#steps.length + this.#adopted.length === 0;
  }

  /** Adds a call. Returns the number by which later calls refer to the id of the object that the call returns. */
  add<O extends Operation>(operation: O, { params, body, source, creates }: Input<O>): number {
    const index = this.#steps.length;
    const sent = { ...(params && { params: { ...params } }), ...(body !== undefined && { body: Object(body) }) };
    this.#steps.push({ operation: operation.id, ...sent, ...(creates && { creates }) });
    this.#sources.push(source);
    return this.#placeholder - index;
  }

  /** Assigns an existing object to the owner of the files, unless it has another owner than the default one. */
  adopt(object: AdoptedObject): void {
    this.#adopted.push(object);
  }

  /**
   * Executes the calls.
   * @param elsewhere - returns a problem if the message of an error refers to another file. Ids of new objects in the
   * message are the numbers that `add` returned.
   * @returns the results, by the numbers that `add` returned.
   * @throws ContentError if the platform rejects the content of a file; PaError if a request fails.
   */
  async run(
    { connection, deploymentId, signal }: Target,
    owner: string,
    elsewhere: (message: string) => ContentProblem | undefined,
  ): Promise<ReadonlyMap<number, { readonly publicId?: string | null | undefined }>> {
    const body = { owner, placeholder: this.#placeholder, steps: this.#steps, adopt: this.#adopted };
    try {
      const { results } = await applyContentBatch(connection, deploymentId, body, { signal, timeoutMs });
      return new Map(results.map((result, index) => [this.#placeholder - index, result]));
    } catch (error) {
      throw error instanceof PaError ? this.#withFileLocation(error, elsewhere) : error;
    }
  }

  /** Converts an error of a step into a problem with file and line. */
  #withFileLocation(error: PaError, elsewhere: (message: string) => ContentProblem | undefined): Error {
    if (error.message.includes('No such operation'))
      return new Error('The platform does not support content batches. Update the platform.', { cause: error });
    const [, step, message = ''] = /^steps\.(\d+): (.*)$/s.exec(error.message) ?? [];
    const source = this.#sources[Number(step)];
    if (!source || error.status === null || ![400, 404, 409, 413].includes(error.status)) return error;
    return new ContentError([elsewhere(message) ?? source.problem(placeIn(message), message)]);
  }
}

/** Returns the path in the file for the path in a validation message of a request body. */
function placeIn(message: string): FilePath {
  const place = /^body\.([\w.]+):/.exec(message)?.[1];
  if (place === undefined) return [];
  const [first = '', ...rest] = place.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part));
  if (first === 'config') return ['dashboard', ...rest];
  if (first === 'meta' && rest[0] === 'dashboardDraft') return ['dashboard', ...rest.slice(1)];
  return [...(sentAs.get(first) ?? [first]), ...rest];
}
