import { and, desc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { embedTenants, notificationEvaluations as evaluations, notificationRuns as runs } from '../db/schema.js';
import type { StoredRun } from './run-store.js';

/** Identifies an evaluation: a run and the security context of its recipients. */
interface EvaluationPlace {
  readonly run: StoredRun;
  readonly contextKey: string;
}

type Stored = typeof evaluations.$inferSelect;
type NewEvaluation = Omit<Stored, 'id' | 'runId' | 'contextKey' | 'createdAt'>;

/** An evaluation with its run and tenant. */
export type ListedEvaluation = Omit<Stored, 'contextKey' | 'embedTenantId'> &
  Pick<StoredRun, 'scheduledAt' | 'trigger'> & { readonly embedTenantName: string | null };

const newestFirst = new Keyset<ListedEvaluation>('notification-evaluations', { id: evaluations.id }, 'desc');

/** Whether the condition was met in an earlier attempt of the run; `null` if it was not evaluated. */
export async function findHolds(db: Db, { run, contextKey }: EvaluationPlace): Promise<boolean | null> {
  const [found] = await db
    .select({ holds: evaluations.holds })
    .from(evaluations)
    .where(and(eq(evaluations.runId, run.id), eq(evaluations.contextKey, contextKey)));
  return found?.holds ?? null;
}

/** Returns the value at the last scheduled run before this one; `null` if there is none. */
export async function previousValue(db: Db, { run, contextKey }: EvaluationPlace): Promise<number | null> {
  const [found] = await db
    .select({ value: evaluations.value })
    .from(evaluations)
    .innerJoin(runs, eq(runs.id, evaluations.runId))
    .where(
      and(
        eq(runs.notificationId, run.notificationId),
        eq(runs.trigger, 'schedule'),
        ne(runs.id, run.id),
        eq(evaluations.contextKey, contextKey),
        isNotNull(evaluations.value),
      ),
    )
    .orderBy(desc(evaluations.id))
    .limit(1);
  return found?.value ?? null;
}

/** Stores an evaluation, and returns whether its condition is met. A later attempt replaces a failed evaluation. */
export async function recordEvaluation(
  db: Db,
  { run, contextKey }: EvaluationPlace,
  evaluation: NewEvaluation,
): Promise<boolean> {
  await db
    .insert(evaluations)
    .values({ ...evaluation, runId: run.id, contextKey })
    .onConflictDoUpdate({
      target: [evaluations.runId, evaluations.contextKey],
      set: { ...evaluation, createdAt: sql`now()` },
    });
  return evaluation.holds === true;
}

/** Returns one page of the evaluations of a notification, newest first. */
export async function listEvaluations(
  db: Db,
  notificationId: number,
  page: PageRequest,
): Promise<KeysetPage<ListedEvaluation>> {
  const { id, runId, recipientCount, holds, value, previousValue: previous, problem, createdAt } = evaluations;
  const rows = await db
    .select({
      ...{ id, runId, recipientCount, holds, value, problem, createdAt },
      previousValue: previous,
      scheduledAt: runs.scheduledAt,
      trigger: runs.trigger,
      embedTenantName: embedTenants.name,
    })
    .from(evaluations)
    .innerJoin(runs, eq(runs.id, evaluations.runId))
    .leftJoin(embedTenants, eq(embedTenants.id, evaluations.embedTenantId))
    .where(and(eq(runs.notificationId, notificationId), newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}
