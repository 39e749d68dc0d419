import { PaError } from '../client/errors.js';
import { updateEmbedAccess, updateFolderEmbedAccess } from '../client/operations/embed-tenants.js';
import { upsertReportByPublicId } from '../client/operations/reports.js';
import { getWorkbook, publishDashboard, upsertWorkbookBySlug } from '../client/operations/workbooks.js';
import { createFolder, moveWorkspaceItem, updateFolder } from '../client/operations/workspace.js';
import type { ReportFile, WorkbookFile } from '../contract/content-files.js';
import {
  ContentError,
  type ContentProblem,
  type FilePath,
  folderKey,
  type Located,
  type NamedDashboard,
  numberReports,
} from './content.js';
import type { DeploymentState, Target } from './deployment-state.js';
import { Action, type Plan } from './plan.js';

/** Public ids of the published dashboards, by the slugs of their workbooks. */
export type PublishedDashboards = ReadonlyMap<string, string>;

/** Maps fields of a request body to the fields of a file, if the names differ. */
const sentAs: ReadonlyMap<PropertyKey, FilePath> = new Map([
  ['jsonQuery', ['query']],
  ['folderId', ['folder']],
  ['workbookId', ['workbook']],
]);

/**
 * Executes a plan: folders, reports, workbooks, dashboards, access. Later steps refer to objects of earlier steps by
 * name. Stops at the first error; completed steps are not undone, and another run continues from there.
 * @param onDone - called with every object that was written.
 * @throws ContentError if the platform rejects the content of a file; PaError if a request fails.
 */
export async function applyPlan(
  plan: Plan,
  state: DeploymentState,
  target: Target,
  onDone: (name: string) => void,
): Promise<PublishedDashboards> {
  const runner = new PlanRunner(plan, state, target);
  for (const step of plan.folders.filter(isNeeded)) {
    await runner.writeFolder(step);
    onDone(`folder ${step.name}`);
  }
  // Create workbooks before reports, because a report may belong to a workbook.
  for (const step of plan.workbooks) if (step.action === Action.create) await runner.createWorkbook(step);
  for (const step of plan.reports.filter(isNeeded)) {
    await runner.writeReport(step);
    onDone(`report ${step.name}`);
  }
  for (const step of plan.workbooks.filter(isNeeded)) {
    await runner.writeWorkbook(step);
    onDone(`workbook ${step.name}`);
  }
  const published = new Map<string, string>();
  for (const step of plan.dashboards) {
    published.set(step.name, await runner.publish(step, { allowEmbed: allowEmbedOf(plan, step.name) }));
    if (isNeeded(step)) onDone(`dashboard ${step.name}`);
  }
  for (const step of plan.access.filter(isNeeded)) {
    await runner.writeAccess(step);
    onDone(`access ${step.name}`);
  }
  return published;
}

function isNeeded({ action }: { readonly action: Action }): boolean {
  return action !== Action.keep;
}

function allowEmbedOf(plan: Plan, slug: string): boolean | undefined {
  return plan.access.find(({ place }) => 'slug' in place && place.slug === slug)?.change.allowEmbed;
}

class PlanRunner {
  readonly #target: Target;
  readonly #folders: Map<string, number>;
  readonly #reports: Map<string, number>;
  readonly #workbooks: Map<string, number>;
  /** Files of the reports, by `publicId`. */
  readonly #reportFiles: ReadonlyMap<string, Located<ReportFile>>;

  constructor(plan: Plan, state: DeploymentState, target: Target) {
    this.#target = target;
    this.#folders = new Map([...state.folders].map(([key, { id }]) => [key, id]));
    this.#reports = new Map([...state.reports].map(([publicId, { id }]) => [publicId, id]));
    this.#workbooks = new Map(state.workbooks);
    this.#reportFiles = new Map(plan.reports.map(({ name, source }) => [name, source]));
  }

  async writeFolder({ action, change }: Plan['folders'][number]): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    const { names, position } = change;
    const key = folderKey(names);
    const place = position === undefined ? {} : { position };
    if (action === Action.change) {
      await updateFolder(connection, { deploymentId, folderId: this.#find(this.#folders, key) }, place, { signal });
      return;
    }
    const parentId = names.length > 1 ? this.#find(this.#folders, folderKey(names.slice(0, -1))) : null;
    const body = { name: names.at(-1) ?? '', parentId, ...place };
    this.#folders.set(key, (await createFolder(connection, deploymentId, body, { signal })).id);
  }

  async createWorkbook({ name: slug, change, source }: Plan['workbooks'][number]): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    const { name, meta } = change;
    const body = { name, meta, folderId: this.#folderId(change) };
    const written = await withFileLocation(
      source,
      upsertWorkbookBySlug(connection, { deploymentId, slug }, body, { signal }),
    );
    this.#workbooks.set(slug, written.id);
  }

  async writeReport({ name: publicId, change, cleared, source }: Plan['reports'][number]): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    const { folder: _folder, workbook, query, ...fields } = change;
    const body = {
      ...fields,
      ...(query && { jsonQuery: JSON.stringify(query) }),
      ...(cleared !== null && { [cleared]: '' }),
      ...(workbook !== undefined && { workbookId: this.#find(this.#workbooks, workbook) }),
      folderId: this.#folderId(change),
    };
    const written = await withFileLocation(
      source,
      upsertReportByPublicId(connection, { deploymentId, publicId }, body, { signal }),
    );
    this.#reports.set(publicId, written.id);
    if (isForRoot(change) && written.folderId != null) await this.#moveToRoot('REPORT', written.id);
  }

  async writeWorkbook({ name: slug, action, change, source }: Plan['workbooks'][number]): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    const { dashboard, meta } = change;
    const draft = dashboard && { dashboardDraft: this.#withNumericIds(dashboard) };
    const isNew = action === Action.create;
    if (isNew && !draft) return;
    const body = isNew
      ? { meta: { ...draft } }
      : {
          name: change.name,
          folderId: this.#folderId(change),
          ...((meta || draft) && { meta: { ...meta, ...draft } }),
        };
    const written = await withFileLocation(
      source,
      upsertWorkbookBySlug(connection, { deploymentId, slug }, body, { signal }),
    );
    if (isForRoot(change) && written.folderId != null) await this.#moveToRoot('WORKBOOK', written.id);
  }

  /** Publishes the dashboard if needed. Returns its public id. */
  async publish(
    { name, action, change, source }: Plan['dashboards'][number],
    { allowEmbed }: { readonly allowEmbed: boolean | undefined },
  ): Promise<string> {
    const { connection, deploymentId, signal } = this.#target;
    const place = { deploymentId, workbookId: this.#find(this.#workbooks, name) };
    if (action === Action.keep) {
      const { publishedDashboard } = await getWorkbook(connection, place, { signal });
      return publishedDashboard?.publicId ?? '';
    }
    const { dashboard, title, description } = change;
    const body = {
      title,
      description,
      config: this.#withNumericIds(dashboard),
      ...(allowEmbed !== undefined && { allowEmbed }),
    };
    const call = publishDashboard(connection, place, body, { signal });
    return (await withFileLocation(source, call, message => this.#problemOfReport(message))).publicId;
  }

  async writeAccess({ place, change, source, before }: Plan['access'][number]): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    const { allowEmbed, allEmbedUsers, tenants } = change;
    const actionOf = (isWanted: boolean) => (isWanted ? 'read' : 'none');
    const bodies = [
      ...(allEmbedUsers === undefined ? [] : [{ allEmbedUsers: true, action: actionOf(allEmbedUsers) } as const]),
      ...changedTenants(before.tenants, tenants).map(([embedTenantName, isWanted]) => {
        return { embedTenantName, action: actionOf(isWanted) } as const;
      }),
    ];
    if ('folder' in place) {
      const folder = { deploymentId, folderId: this.#find(this.#folders, place.folder) };
      for (const body of bodies)
        await withFileLocation(source, updateFolderEmbedAccess(connection, folder, body, { signal }));
      return;
    }
    const workbook = { deploymentId, workbookId: this.#find(this.#workbooks, place.slug) };
    for (const body of [...(allowEmbed === undefined ? [] : [{ allowEmbed }]), ...bodies]) {
      await withFileLocation(source, updateEmbedAccess(connection, workbook, body, { signal }));
    }
  }

  async #moveToRoot(type: 'REPORT' | 'WORKBOOK', id: number): Promise<void> {
    const { connection, deploymentId, signal } = this.#target;
    await moveWorkspaceItem(connection, deploymentId, { type, id, folderId: null }, { signal });
  }

  #withNumericIds(dashboard: NamedDashboard): NamedDashboard {
    return numberReports(dashboard, publicId => this.#find(this.#reports, publicId));
  }

  #folderId({ folder }: { readonly folder?: readonly string[] | undefined }): number | undefined {
    return folder === undefined || folder.length === 0 ? undefined : this.#find(this.#folders, folderKey(folder));
  }

  /**
   * Returns a problem in the file of the report that a message names, because publishing a dashboard checks its
   * reports.
   */
  #problemOfReport(message: string): ContentProblem | undefined {
    const [, what, id] = /^The (SQL|specification) of report (\d+) /.exec(message) ?? [];
    const [publicId] = [...this.#reports].find(([, known]) => String(known) === id) ?? [];
    const file = publicId === undefined ? undefined : this.#reportFiles.get(publicId);
    return file?.problem(what === 'SQL' ? ['sqlQuery'] : ['meta', 'spec'], message);
  }

  /**
   * Returns the id of a name. The plan was checked against the deployment, so a name is missing only if another client
   * has changed the deployment since.
   */
  #find(ids: ReadonlyMap<string, number>, name: string): number {
    const id = ids.get(name);
    if (id === undefined)
      throw new Error(`${name} was removed from the platform while this command was running. Run it again.`);
    return id;
  }
}

function isForRoot({ folder }: ReportFile | WorkbookFile): boolean {
  return folder?.length === 0;
}

function changedTenants(before: readonly string[], wanted: readonly string[] | undefined): [string, boolean][] {
  if (!wanted) return [];
  const added = wanted.filter(name => !before.includes(name));
  const removed = before.filter(name => !wanted.includes(name));
  return [
    ...added.map((name): [string, boolean] => [name, true]),
    ...removed.map((name): [string, boolean] => [name, false]),
  ];
}

/**
 * Converts an error of the platform into a problem with file and line.
 * @param elsewhere - returns a problem if the message refers to another file.
 */
async function withFileLocation<T>(
  source: Located<unknown>,
  call: Promise<T>,
  elsewhere?: (message: string) => ContentProblem | undefined,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof PaError) || error.status === null || ![400, 404, 409, 413].includes(error.status))
      throw error;
    const { message } = error;
    throw new ContentError([elsewhere?.(message) ?? source.problem(placeIn(message), message)]);
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
