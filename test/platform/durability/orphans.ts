import pg from 'pg';

interface Reference {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

const references = `select conname as name, c.relname as child, p.relname as parent,
    array(select attname::text from unnest(conkey) with ordinality k(num, place)
      join pg_attribute on attrelid = conrelid and attnum = num order by place) as columns,
    array(select attname::text from unnest(confkey) with ordinality k(num, place)
      join pg_attribute on attrelid = confrelid and attnum = num order by place) as keys
  from pg_constraint join pg_class c on c.oid = conrelid join pg_class p on p.oid = confrelid
  where contype = 'f' and connamespace = 'public'::regnamespace`;

/** Rules that database constraints cannot express. */
const rules: Readonly<Record<string, string>> = {
  'published dashboards without their current version': `select id from dashboards d where not exists (
    select from dashboard_versions v where v.dashboard_id = d.id and v.version_number = d.version_number)`,
  'versions that are newer than the current one, or leave a number out': `select d.id from dashboards d
    where (select array_agg(version_number order by version_number) from dashboard_versions v where v.dashboard_id = d.id)
      is distinct from array(select generate_series(1, d.version_number))`,
  'versions without the snapshot of a chart': `select v.id from dashboard_versions v
    where (select count(distinct widget #>> '{config,reportId}') from json_array_elements(v.config -> 'widgets') widget
        where widget ->> 'type' = 'CHART')
      <> (select count(*) from report_snapshots s where s.version_id = v.id)`,
  'jobs whose run is not there': `select j.id from jobs j where j.kind = 'transform-sync'
    and not exists (select from transform_syncs s where s.id::text = j.payload ->> 'syncJobId')`,
  'runs that go on without a job': `select s.id from transform_syncs s where s.status = 'RUNNING'
    and (select count(*) from jobs j where j.payload ->> 'syncJobId' = s.id::text) <> 1`,
};

/** Finds rows with missing references or missing required rows. */
export async function findOrphans(client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  const known = await client.query<Reference>(references);
  if (known.rows.length === 0) throw new Error('The database has no foreign keys to check.');
  for (const reference of known.rows) {
    const { rows } = await client.query<{ count: number }>(danglingRows(reference));
    if (rows[0]?.count !== 0) found.push(`${reference.name}: ${rows[0]?.count} rows refer to nothing`);
  }
  for (const [what, statement] of Object.entries(rules)) {
    const { rows } = await client.query(statement);
    if (rows.length > 0) found.push(`${what}: ${rows.length}`);
  }
  return found;
}

function danglingRows({ child, parent, columns, keys }: Reference): string {
  const name = pg.escapeIdentifier;
  const isSet = columns.map(column => `c.${name(column)} is not null`);
  const isSame = columns.map((column, index) => `p.${name(keys[index] ?? '')} = c.${name(column)}`);
  return `select count(*)::int as count from ${name(child)} c where ${isSet.join(' and ')}
    and not exists (select from ${name(parent)} p where ${isSame.join(' and ')})`;
}
