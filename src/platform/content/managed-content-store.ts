import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type ContentKind, defaultOwner, type ManagedObject } from '../../contract/content-batches.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import {
  environmentVariables,
  folders,
  GroupKind,
  groups,
  managedContent,
  notifications,
  reports,
  roles,
  workbooks,
} from '../db/schema.js';

/** Deployment and name of a set of content files. */
export interface Owner {
  readonly deploymentId: number;
  readonly owner: string;
}

/**
 * An object of a kind, by id or by name: the `publicId` of a report, the slug of a workbook, or the name of a variable.
 */
export interface ObjectRef {
  readonly kind: ContentKind;
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}

interface KindTable {
  readonly table: PgTable;
  readonly id: PgColumn;
  readonly name?: PgColumn;
  /** Column of `managedContent` that refers to the object. */
  readonly column: 'folderId' | 'reportId' | 'workbookId' | 'notificationId' | 'roleId' | 'groupId' | 'variableId';
  /** Returns a SQL condition for the objects of a deployment that content files can manage. */
  readonly isEligible: (deploymentId: number) => SQL | undefined;
}

const kinds: Readonly<Record<ContentKind, KindTable>> = {
  folder: {
    table: folders,
    id: folders.id,
    column: 'folderId',
    isEligible: deploymentId => and(eq(folders.deploymentId, deploymentId), isNull(folders.embedTenantId)),
  },
  report: {
    table: reports,
    id: reports.id,
    name: reports.publicId,
    column: 'reportId',
    isEligible: deploymentId => and(eq(reports.deploymentId, deploymentId), isNull(reports.embedTenantId)),
  },
  workbook: {
    table: workbooks,
    id: workbooks.id,
    name: workbooks.slug,
    column: 'workbookId',
    isEligible: deploymentId => and(eq(workbooks.deploymentId, deploymentId), isNull(workbooks.embedTenantId)),
  },
  notification: {
    table: notifications,
    id: notifications.id,
    column: 'notificationId',
    isEligible: deploymentId => and(eq(notifications.deploymentId, deploymentId), isNull(notifications.subscriberId)),
  },
  role: { table: roles, id: roles.id, column: 'roleId', isEligible: () => eq(roles.isBuiltIn, false) },
  group: { table: groups, id: groups.id, column: 'groupId', isEligible: () => eq(groups.kind, GroupKind.account) },
  variable: {
    table: environmentVariables,
    id: environmentVariables.id,
    name: environmentVariables.name,
    column: 'variableId',
    isEligible: deploymentId => eq(environmentVariables.deploymentId, deploymentId),
  },
};

/** Returns true if a workbook contains reports. Locks it, so that none is added before the transaction ends. */
export async function hasReports(tx: Db, workbookId: number): Promise<boolean> {
  if (!Number.isSafeInteger(workbookId)) return false;
  await tx.select({ id: workbooks.id }).from(workbooks).where(eq(workbooks.id, workbookId)).for('update');
  return (await tx.$count(reports, eq(reports.workbookId, workbookId))) > 0;
}

/** Returns true if a deployment has an object. */
export async function objectExists(db: Db, deploymentId: number, object: ObjectRef): Promise<boolean> {
  return (await findIds(db, deploymentId, object.kind, [object])).length > 0;
}

/**
 * Assigns objects to an owner. Skips objects that do not exist, and objects that a named owner or another deployment
 * manages.
 */
export async function assignOwner(
  tx: Db,
  { deploymentId, owner }: Owner,
  objects: readonly ObjectRef[],
): Promise<void> {
  const used = new Set(objects.map(({ kind }) => kind));
  for (const kind of used) {
    const ids = await findIds(
      tx,
      deploymentId,
      kind,
      objects.filter(object => object.kind === kind),
    );
    if (ids.length === 0) continue;
    const { column } = kinds[kind];
    await tx
      .insert(managedContent)
      .values(ids.map(id => ({ deploymentId, owner, [column]: id })))
      .onConflictDoUpdate({
        target: managedContent[column],
        set: { deploymentId, owner },
        // Roles and groups belong to the account, so files of another deployment may have created them.
        setWhere: sql`${managedContent.owner} = ${defaultOwner} and ${managedContent.deploymentId} = ${deploymentId}`,
      });
  }
}

async function findIds(
  db: Db,
  deploymentId: number,
  kind: ContentKind,
  objects: readonly ObjectRef[],
): Promise<number[]> {
  const { table, id, name, isEligible } = kinds[kind];
  const ids = objects.flatMap(object => object.id ?? []);
  const names = objects.flatMap(object => object.name ?? []);
  const rows = await db
    .select({ id: sql<string>`${id}` })
    .from(table)
    .where(and(isEligible(deploymentId), or(inArray(id, ids), name && inArray(name, names))));
  return rows.map(row => Number(row.id));
}

type Row = typeof managedContent.$inferSelect & { readonly variable: string | null };

const oldestFirst = new Keyset<Row>('managed-content', { id: managedContent.id }, 'asc');

/** Returns one page of the objects of a deployment that content files created or adopted, oldest first. */
export async function listManagedContent(
  db: Db,
  deploymentId: number,
  page: PageRequest,
): Promise<KeysetPage<ManagedObject>> {
  const rows = await db
    .select({ row: managedContent, variable: environmentVariables.name })
    .from(managedContent)
    .leftJoin(environmentVariables, eq(environmentVariables.id, managedContent.variableId))
    .where(and(eq(managedContent.deploymentId, deploymentId), oldestFirst.after(page)))
    .orderBy(...oldestFirst.orderBy)
    .limit(oldestFirst.limit(page));
  const { items, pageInfo } = oldestFirst.page(
    rows.map(({ row, variable }) => ({ ...row, variable })),
    page,
  );
  return { items: items.flatMap(show), pageInfo };
}

function show(row: Row): ManagedObject[] {
  const { owner, variable } = row;
  if (variable !== null) return [{ kind: 'variable', id: null, name: variable, owner }];
  const found = Object.entries(kinds).find(([, { column }]) => row[column] !== null);
  return found ? [{ kind: found[0], id: row[found[1].column], name: null, owner }] : [];
}
