import type pg from 'pg';

/**
 * Facts about the written data in a comparable form. A write changes a set of facts, so a partial write is detected as
 * an unexpected fact.
 */
export type Facts = Map<string, string>;

/** Facts about a workbook. */
export interface WorkbookFact {
  readonly slug: string | null;
  readonly name: string;
  readonly meta: readonly string[];
}

/** A published dashboard: its versions by title, oldest first. */
export interface BoardFact {
  readonly versionNumber: number;
  readonly revision: number;
  readonly versions: readonly string[];
}

/** A report with its initial placement. */
export const placedReport = '1 report, 1 placement';

/** Returns the fact about a user created with a session. */
export const userFact = (tenant: string, attribute: string): string => `1 user of ${tenant}, 1 group, ${attribute}`;

const versionFact = (number: number, title: string, snapshots: number): string =>
  `${number} ${title} with ${snapshots}`;

const counted: Readonly<Record<string, string>> = {
  report: `select r.name as key, count(distinct r.id) || ' report, ' || count(p.id) || ' placement' as fact
    from reports r left join report_placements p on p.report_id = r.id where r.name like 'crash-%' group by r.name`,
  comment: `select body as key, count(*) as fact from dashboard_comments group by body`,
  user: `select u.external_id as key, count(distinct u.id) || ' user of ' || min(t.name) || ', ' || count(m.group_id) || ' group, '
      || coalesce(min(v.value #>> '{}'), 'none') as fact
    from users u join embed_tenants t on t.id = u.embed_tenant_id left join group_members m on m.user_id = u.id
    left join user_attribute_values v on v.user_id = u.id where u.external_id like 'crash-%' group by u.external_id`,
  session: `select u.external_id as key, count(*) as fact
    from embed_sessions s join users u on u.id = (s.claims ->> 'userId')::bigint group by u.external_id`,
  revoked: `select session_key as key, count(*) as fact from revoked_sessions group by session_key`,
  sync: `select branch_name as key, count(*) as fact from transform_syncs group by branch_name`,
  shares: `select s.workbook_id as key, string_agg(g.name, ', ' order by g.name) as fact
    from workbook_shares s join groups g on g.id = s.group_id group by s.workbook_id`,
};

const workbooks = `select id as key, slug, name, array(select json_object_keys(meta)) as meta from workbooks`;

const boards = `select d.workbook_id as key, d.version_number as "versionNumber", d.revision,
    array_agg(v.version_number || ' ' || (v.config ->> 'title') || ' with '
      || (select count(*) from report_snapshots s where s.version_id = v.id) order by v.version_number) as versions
  from dashboards d left join dashboard_versions v on v.dashboard_id = d.id group by d.id`;

/** Reads all facts. */
export async function readFacts(client: pg.Client): Promise<Facts> {
  const facts: Facts = new Map();
  for (const [kind, statement] of Object.entries(counted)) {
    const { rows } = await client.query<{ key: string; fact: string }>(statement);
    for (const { key, fact } of rows) facts.set(`${kind} ${key}`, String(fact));
  }
  const foundWorkbooks = await client.query<WorkbookFact & { key: string }>(workbooks);
  for (const { key, slug, name, meta } of foundWorkbooks.rows) setWorkbook(facts, Number(key), { slug, name, meta });
  const foundBoards = await client.query<BoardFact & { key: string }>(boards);
  for (const { key, versionNumber, revision, versions } of foundBoards.rows) {
    facts.set(`board ${key}`, JSON.stringify({ versionNumber, revision, versions }));
  }
  return facts;
}

function setWorkbook(facts: Facts, id: number, { slug, name, meta }: WorkbookFact): void {
  facts.set(`workbook ${id}`, JSON.stringify({ slug, name, meta: meta.toSorted() }));
}

/** Reads the model file that each writer changes on its branch. The database does not contain it. */
export async function readFiles(
  read: (path: string) => Promise<{ readonly items: readonly { readonly path: string; readonly content: string }[] }>,
  branches: readonly string[],
  deploymentId: number,
  facts: Facts,
): Promise<void> {
  for (const branch of branches) {
    const files = `data-model/files?withContent=true&branchName=${branch}`;
    const { items } = await read(`/build/api/v1/deployments/${deploymentId}/${files}`);
    const file = items.find(({ path }) => path === crashFile);
    if (file) facts.set(`file ${branch}`, file.content);
  }
}

/** Path of the model file that a writer changes. */
export const crashFile = 'model/crash.yml';

/** Records an expected change to a workbook. */
export function changeWorkbook(
  facts: Facts,
  id: number,
  change: (before: WorkbookFact) => Partial<WorkbookFact>,
): void {
  const before: WorkbookFact = JSON.parse(facts.get(`workbook ${id}`) ?? '{}');
  setWorkbook(facts, id, { ...before, ...change(before) });
}

/** Records an expected new version of a dashboard. */
export function addVersion(facts: Facts, workbookId: number, title: string, snapshots: number): void {
  const before: BoardFact = JSON.parse(facts.get(`board ${workbookId}`) ?? '{}');
  const versionNumber = before.versionNumber + 1;
  const versions = [...before.versions, versionFact(versionNumber, title, snapshots)];
  facts.set(`board ${workbookId}`, JSON.stringify({ versionNumber, revision: before.revision + 1, versions }));
}

/** Lists the differences between expected and found facts. */
export function differences(expected: Facts, found: Facts): string[] {
  const keys = [...new Set([...expected.keys(), ...found.keys()])];
  return keys
    .filter(key => expected.get(key) !== found.get(key))
    .map(key => `${key}: ${shorten(found.get(key))} in place of ${shorten(expected.get(key))}`);
}

/** Returns the end of a long fact, because long facts are lists that grow at the end. */
function shorten(fact = 'nothing'): string {
  return fact.length > 300 ? `…${fact.slice(-300)}` : fact;
}
