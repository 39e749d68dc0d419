import { asc } from 'drizzle-orm';
import type { RoleWithAccess } from '../../contract/reports.js';
import type { Db } from './database.js';
import { roles } from './schema.js';

/** A role with what it allows. */
export type PolicyRole = Pick<typeof roles.$inferSelect, 'id' | 'name' | 'policies'>;

/** Where a report lies: what policies may name to reach it. */
export interface ReportPlace {
  readonly reportId: number;
  readonly workbookId: number | null;
  /** The folders around it, and around its workbook. */
  readonly folderIds: readonly number[];
}

/** The account's roles, by name. */
export async function listPolicyRoles(db: Db): Promise<PolicyRole[]> {
  return db
    .select({ id: roles.id, name: roles.name, policies: roles.policies })
    .from(roles)
    .orderBy(asc(roles.name), asc(roles.id));
}

/** The roles by which a report can be reached, each with the actions that reach it. */
export function rolesReaching(all: readonly PolicyRole[], place: ReportPlace): RoleWithAccess[] {
  return all.flatMap(({ id, name, policies }) => {
    const actions = policies
      .filter(policy => policy.effect !== 'deny' && reaches(policy, place))
      .flatMap(policy => (policy.resourceType === 'Global' ? ['All'] : policy.actions));
    return actions.length === 0 ? [] : [{ id, name, actions: [...new Set(actions)] }];
  });
}

function reaches({ actions, resourceType, resources }: PolicyRole['policies'][number], place: ReportPlace): boolean {
  const names = (ids: readonly number[]) => ids.length > 0 && (resources.includes('All') || namesOne(resources, ids));
  switch (resourceType) {
    case 'Global':
      return actions.includes('All');
    case 'Report':
      return names([place.reportId]);
    case 'Workbook':
      return names(place.workbookId === null ? [] : [place.workbookId]);
    case 'Folder':
      return names(place.folderIds);
    default:
      return false;
  }
}

const namesOne = (resources: readonly string[], ids: readonly number[]) =>
  ids.some(id => resources.includes(String(id)));
