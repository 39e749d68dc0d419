import type { ContentKind } from '../contract/content-batches.js';
import type { ReportFile, WorkbookFile } from '../contract/content-files.js';
import * as embedAccess from '../contract/embed-access.js';
import * as folders from '../contract/folders.js';
import { upsertReportByPublicId } from '../contract/reports.js';
import { publishDashboard, upsertWorkbookBySlug } from '../contract/workbooks.js';
import { moveWorkspaceObject } from '../contract/workspace.js';
import type { AccountState } from './account-state.js';
import { AccountRunner } from './apply-account.js';
import { ContentBatch } from './batch.js';
import { type ContentProblem, folderKey, type Located, type NamedDashboard, numberReports } from './content.js';
import type { DeploymentState, Target } from './deployment-state.js';
import type { ContentPlan } from './plan.js';
import type { AccountPlan } from './plan-account.js';
import type { Removals } from './plan-removals.js';
import { Action } from './plan-step.js';

/** Public ids of the published dashboards, by the slugs of their workbooks. */
export type PublishedDashboards = ReadonlyMap<string, string>;

/** All steps, in the order of their execution. */
export type Plan = ContentPlan & AccountPlan & Removals;

/** Existing object that the owner of the files adopts: its id, or for a variable its name. */
export interface Adoption {
  readonly kind: ContentKind;
  readonly id?: number;
  readonly name?: string;
}

/** State and owner of the content that a plan changes. */
interface ApplyContext {
  readonly owner: string;
  readonly state: DeploymentState;
  readonly account: AccountState;
  readonly adoptions: readonly Adoption[];
  /** Ids of the dashboards that are published already, by the slugs of their workbooks. */
  readonly dashboardIds: ReadonlyMap<string, number>;
  /** Called for each written or removed object after the transaction, with a line of output. */
  readonly onDone: (name: string) => void;
}

/**
 * Executes a plan in one transaction. Later steps refer to objects of earlier steps. If a step fails, nothing is
 * changed.
 * @throws ContentError if the platform rejects the content of a file; PaError if a request fails.
 */
export async function applyPlan(plan: Plan, context: ApplyContext, target: Target): Promise<PublishedDashboards> {
  const batch = new ContentBatch();
  const done: string[] = [];
  const content = new ContentRunner(batch, plan, context.state);
  const account = new AccountRunner(batch, context, target.deploymentId, content);
  const write = <S extends { readonly kind: string; readonly name: string; readonly action: Action }>(
    steps: readonly S[],
    run: (step: S) => void,
  ) => {
    for (const step of steps.filter(isNeeded)) {
      run(step);
      done.push(`${step.kind} ${step.name}: written`);
    }
  };
  write(plan.variables, step => account.writeVariable(step));
  write(plan.folders, step => content.writeFolder(step));
  // Create workbooks before reports, because a report may belong to a workbook.
  for (const step of plan.workbooks) if (step.action === Action.create) content.createWorkbook(step);
  write(plan.reports, step => content.writeReport(step));
  write(plan.workbooks, step => content.writeWorkbook(step));
  write(plan.dashboards, step => content.publish(step, { allowEmbed: allowEmbedOf(plan, step.name) }));
  write(plan.access, step => content.writeAccess(step));
  write(plan.roles, step => account.writeRole(step));
  write(plan.groups, step => account.writeGroup(step));
  write(plan.notifications, step => account.writeNotification(step));
  for (const removal of plan.removals) {
    account.remove(removal);
    done.push(`${removal.kind} ${removal.name}: removed`);
  }
  for (const object of context.adoptions) batch.adopt(object);
  const results = batch.isEmpty
    ? new Map<number, { readonly publicId?: string | null }>()
    : await batch.run(target, context.owner, message => content.problemOfReport(message));
  for (const line of done) context.onDone(line);
  return new Map(
    plan.dashboards.map(({ name, publicId }) => {
      const published = results.get(content.publications.get(name) ?? 0)?.publicId;
      return [name, published ?? publicId ?? ''];
    }),
  );
}

function isNeeded({ action }: { readonly action: Action }): boolean {
  return action !== Action.keep;
}

function allowEmbedOf(plan: ContentPlan, slug: string): boolean | undefined {
  return plan.access.find(({ place }) => 'slug' in place && place.slug === slug)?.change.allowEmbed;
}

/** Adds the steps for folders, reports and workbooks to a batch. */
class ContentRunner {
  readonly #batch: ContentBatch;
  readonly #folders: Map<string, number>;
  readonly #reports: Map<string, number>;
  readonly #workbooks: Map<string, number>;
  /** Ids of the dashboards that are published, by slug. */
  readonly publications = new Map<string, number>();
  /** Files of the reports, by `publicId`. */
  readonly #reportFiles: ReadonlyMap<string, Located<ReportFile>>;

  constructor(batch: ContentBatch, plan: ContentPlan, state: DeploymentState) {
    this.#batch = batch;
    this.#folders = new Map([...state.folders].map(([key, { id }]) => [key, id]));
    this.#reports = new Map([...state.reports].map(([publicId, { id }]) => [publicId, id]));
    this.#workbooks = new Map(state.workbooks);
    this.#reportFiles = new Map(plan.reports.map(({ name, source }) => [name, source]));
  }

  /** Returns the id of a folder, of a report by `publicId`, or of a workbook by slug. */
  idOf(kind: 'folder' | 'report' | 'workbook', name: string): number {
    return find({ folder: this.#folders, report: this.#reports, workbook: this.#workbooks }[kind], name);
  }

  writeFolder({ action, change }: ContentPlan['folders'][number]): void {
    const { names, position } = change;
    const key = folderKey(names);
    const place = position === undefined ? {} : { position };
    if (action === Action.change) {
      this.#batch.add(folders.updateFolder, { params: { folderId: find(this.#folders, key) }, body: place });
      return;
    }
    const parentId = names.length > 1 ? find(this.#folders, folderKey(names.slice(0, -1))) : null;
    const body = { name: names.at(-1) ?? '', parentId, ...place };
    this.#folders.set(key, this.#batch.add(folders.createFolder, { body, creates: 'folder' }));
  }

  createWorkbook({ name: slug, change, source }: ContentPlan['workbooks'][number]): void {
    const { name, meta } = change;
    const body = { name, meta, folderId: this.#folderId(change) };
    this.#workbooks.set(
      slug,
      this.#batch.add(upsertWorkbookBySlug, { params: { slug }, body, source, creates: 'workbook' }),
    );
  }

  writeReport({ name: publicId, action, change, cleared, source }: ContentPlan['reports'][number]): void {
    const { folder: _folder, workbook, query, ...fields } = change;
    const body = {
      ...fields,
      ...(query && { jsonQuery: JSON.stringify(query) }),
      ...(cleared !== null && { [cleared]: '' }),
      ...(workbook !== undefined && { workbookId: find(this.#workbooks, workbook) }),
      folderId: this.#folderId(change),
    };
    const creates = action === Action.create ? 'report' : undefined;
    const id = this.#batch.add(upsertReportByPublicId, { params: { publicId }, body, source, creates });
    if (isMovedToRoot(action, change)) this.#moveToRoot('REPORT', find(this.#reports, publicId));
    if (creates) this.#reports.set(publicId, id);
  }

  writeWorkbook({ name: slug, action, change, source }: ContentPlan['workbooks'][number]): void {
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
    this.#batch.add(upsertWorkbookBySlug, { params: { slug }, body, source });
    if (isMovedToRoot(action, change)) this.#moveToRoot('WORKBOOK', find(this.#workbooks, slug));
  }

  publish(
    { name, change, source }: ContentPlan['dashboards'][number],
    { allowEmbed }: { readonly allowEmbed: boolean | undefined },
  ): void {
    const { dashboard, title, description } = change;
    const body = {
      title,
      description,
      config: this.#withNumericIds(dashboard),
      ...(allowEmbed !== undefined && { allowEmbed }),
    };
    const params = { workbookId: find(this.#workbooks, name) };
    this.publications.set(name, this.#batch.add(publishDashboard, { params, body, source }));
  }

  writeAccess({ place, change, source, before }: ContentPlan['access'][number]): void {
    const { allowEmbed, allEmbedUsers, tenants } = change;
    const actionOf = (isWanted: boolean) => (isWanted ? 'read' : 'none');
    const bodies = [
      ...(allEmbedUsers === undefined ? [] : [{ allEmbedUsers: true, action: actionOf(allEmbedUsers) } as const]),
      ...changedTenants(before.tenants, tenants).map(([embedTenantName, isWanted]) => {
        return { embedTenantName, action: actionOf(isWanted) } as const;
      }),
    ];
    if ('folder' in place) {
      const params = { folderId: find(this.#folders, place.folder) };
      for (const body of bodies) this.#batch.add(embedAccess.updateFolderEmbedAccess, { params, body, source });
      return;
    }
    const params = { workbookId: find(this.#workbooks, place.slug) };
    for (const body of [...(allowEmbed === undefined ? [] : [{ allowEmbed }]), ...bodies])
      this.#batch.add(embedAccess.updateEmbedAccess, { params, body, source });
  }

  #moveToRoot(type: 'REPORT' | 'WORKBOOK', id: number): void {
    this.#batch.add(moveWorkspaceObject, { body: { type, id, folderId: null } });
  }

  #withNumericIds(dashboard: NamedDashboard): NamedDashboard {
    return numberReports(dashboard, publicId => find(this.#reports, publicId));
  }

  #folderId({ folder }: { readonly folder?: readonly string[] | undefined }): number | undefined {
    return folder === undefined || folder.length === 0 ? undefined : find(this.#folders, folderKey(folder));
  }

  /**
   * Returns a problem in the file of the report that a message names, because publishing a dashboard checks its
   * reports.
   */
  problemOfReport(message: string): ContentProblem | undefined {
    const [, what, id] = /^The (SQL|specification) of report (-?\d+) /.exec(message) ?? [];
    const [publicId] = [...this.#reports].find(([, known]) => String(known) === id) ?? [];
    const file = publicId === undefined ? undefined : this.#reportFiles.get(publicId);
    const text = message.replace(`report ${id}`, `report ${publicId}`);
    return file?.problem(what === 'SQL' ? ['sqlQuery'] : ['meta', 'spec'], text);
  }
}

/**
 * Returns the id of a name. The plan was checked against the deployment, so that a missing name is an error of this
 * program.
 */
function find(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The plan refers to ${name}, which does not exist.`);
  return id;
}

/** Returns true if an existing object has to be moved to the root. The plan omits the folder of one at the root. */
function isMovedToRoot(action: Action, { folder }: ReportFile | WorkbookFile): boolean {
  return action === Action.change && folder?.length === 0;
}

function changedTenants(before: readonly string[], desired: readonly string[] | undefined): [string, boolean][] {
  if (!desired) return [];
  const added = desired.filter(name => !before.includes(name));
  const removed = before.filter(name => !desired.includes(name));
  return [
    ...added.map((name): [string, boolean] => [name, true]),
    ...removed.map((name): [string, boolean] => [name, false]),
  ];
}
