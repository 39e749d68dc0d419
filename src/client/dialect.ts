import { isRecord } from './http/fetch.js';

/** Names of the dialects there are; `neutral` is the contract's own. */
export type DialectName = 'neutral' | 'cube';

/**
 * The words of a service, in the place of the contract's: hand it to a connection, a session source or the Node helper. Paths are told
 * by their templates, so that no value of a caller is taken for a word; of bodies, only the fields of the table are looked at.
 */
export interface Dialect {
  readonly name: string;
  /** Path of the Data API below the address of a deployment, where no other is set. */
  readonly dataApiPath: string;
  /** Header in which a chat token travels. */
  readonly chatTokenHeader: string;
  /** Key under which the service itself puts groups and attributes into a security context; a grant must not hold it. */
  readonly securityContextKey: string;
  /** The service's path for one of the contract. */
  path(path: string): string;
  /** What is sent to a path of the contract (query or body), in the service's words. */
  send<T>(path: string, value: T): T;
  /** What came from a path of the contract, in the contract's words. */
  read<T>(path: string, value: T): T;
}

/** A word of the contract, and the service's for it. */
export type Pair = readonly [own: string, theirs: string];

/**
 * A field whose name or whose values differ. `at` is its place in a record, `[]` after a list, the last part the contract's name; a
 * record is the body itself, and each of its `items` and `data`.
 */
export interface FieldRule {
  /** Which paths of the contract have it. */
  readonly in: RegExp;
  readonly at: string;
  /** The service's name of it, where that is another. */
  readonly named?: string;
  /** Values that have another name; every other value stays as it is. */
  readonly values?: readonly Pair[];
}

/** Everything in which a service's words differ from the contract's. */
export interface DialectTable {
  readonly name: string;
  readonly dataApiPath: Pair;
  readonly chatTokenHeader: Pair;
  readonly securityContextKey: Pair;
  /** Whole paths, for APIs that have them. */
  readonly paths: readonly Pair[];
  /** Segments of paths. */
  readonly segments: readonly Pair[];
  readonly fields: readonly FieldRule[];
  /** Words that only the service has, and what they are read as. */
  readonly readAs: readonly Pair[];
}

const deployment =
  /^\/(build\/)?api\/v1\/deployments(\/\{deploymentId\}(\/settings|\/creation-step\/\w+|\/repohost\/connect)?)?$/;
const deploymentToken = /\/deployments\/\{deploymentId\}\/token$/;
const environmentTokens = /\/environments\/\{environmentId\}\/tokens/;
const logs = /\/deployments\/\{deploymentId\}\/logs$/;
const reports = /\/reports(\/|$)/;
const roles = /^\/api\/v1\/roles(\/|$)/;
const transformSync = /\/xform-sync(\/|$)/;
const embedSession = /\/embed\/(generate-session|session\/token)$/;
const chatStream = /\/chat\/stream-chat-state$/;

const repositories: readonly Pair[] = [['repohost', 'github']];
const clouds: readonly Pair[] = [['platformcloud', 'cubecloud']];
const actions: readonly Pair[] = [['PlatformNetworkConnect', 'CubeNetworkConnect']];
const stages: readonly Pair[] = [
  ['RUNNING_XFORM_DEPS', 'RUNNING_DBT_DEPS'],
  ['COMPILING_XFORM', 'COMPILING_DBT'],
  ['WRITING_MODEL_FILES', 'WRITING_CUBE_FILES'],
];
const phases: readonly Pair[] = [
  ['xform-deps', 'dbt-deps'],
  ['xform-compile', 'dbt-compile'],
];

/**
 * The words of the public service whose API the contract follows, as its documents publish them: the API document (paths, fields,
 * values), the pages on embedding (security context, base path of the Data API) and on the chat (header, tools, nodes).
 */
export const cubeTable: DialectTable = {
  name: 'cube',
  dataApiPath: ['/data-api', '/cubejs-api'],
  chatTokenHeader: ['X-Platform-Auth-Token', 'X-Cube-Auth-Token'],
  securityContextKey: ['platform', 'cubeCloud'],
  // That service has a `/v1/sql` of its own, which answers with generated SQL and is never meant here.
  paths: [['/v1/sql', '/v1/cubesql']],
  segments: [
    ['repohost', 'github'],
    ['xform-sync', 'dbt-sync'],
  ],
  fields: [
    { in: deployment, at: 'creationStep', values: repositories },
    { in: deployment, at: 'creationMethod', values: [...repositories, ...clouds] },
    { in: deployment, at: 'cloudProvider', values: clouds },
    { in: deployment, at: 'platformImageCloud', named: 'cubeImageCloud' },
    { in: deployment, at: 'platformImageVersion', named: 'cubeImageVersion' },
    { in: deployment, at: 'isSqlEnabled', named: 'isCubeSqlEnabled' },
    { in: deploymentToken, at: 'platformApiToken', named: 'cubeApiToken' },
    { in: environmentTokens, at: 'security_context.platform', named: 'cubeCloud' },
    { in: logs, at: 'container', values: [['platform-server', 'cubejs-server']] },
    {
      in: reports,
      at: 'source',
      values: [
        ['ONLINE_SHEETS', 'GOOGLE_SHEETS'],
        ['DESKTOP_SHEETS', 'EXCEL'],
      ],
    },
    { in: reports, at: 'rolesWithAccess[].actions[]', values: actions },
    { in: roles, at: 'policies[].actions[]', values: actions },
    { in: transformSync, at: 'status', values: stages },
    { in: transformSync, at: 'lastStage', values: stages },
    { in: transformSync, at: 'progress.stage', values: stages },
    { in: transformSync, at: 'phase', values: phases },
    { in: transformSync, at: 'failedPhase', values: phases },
    { in: transformSync, at: 'phases[].phase', values: phases },
    { in: transformSync, at: 'modelCount', named: 'cubeCount' },
    { in: transformSync, at: 'stats.modelCount', named: 'cubeCount' },
    { in: transformSync, at: 'stats.xformVersion', named: 'dbtVersion' },
    { in: embedSession, at: 'settings.showGroupByPlatform', named: 'showGroupByCube' },
    {
      in: chatStream,
      at: 'toolCall.name',
      values: [
        ['modelMeta', 'cubeMeta'],
        ['sqlApi', 'cubeSqlApi'],
      ],
    },
    { in: chatStream, at: 'graphPath[]', values: [['data_analyst_agent', 'cube_data_analyst_agent']] },
  ],
  readAs: [['sqlApi', 'cubeSqlApiWithChart']],
};

/** The words of that public service. */
export const cube: Dialect = /* @__PURE__ */ dialectOf(cubeTable);

/**
 * Makes a dialect of its table.
 * @__NO_SIDE_EFFECTS__
 */
function dialectOf(table: DialectTable): Dialect {
  const segments = new Map(table.segments);
  const paths = new Map(table.paths);
  const read = table.fields.map(rule => fieldMap(rule, 'read', table.readAs));
  const sent = table.fields.map(rule => fieldMap(rule, 'send', []));
  return {
    name: table.name,
    dataApiPath: table.dataApiPath[1],
    chatTokenHeader: table.chatTokenHeader[1],
    securityContextKey: table.securityContextKey[1],
    path: path =>
      paths.get(path) ??
      path
        .split('/')
        .map(segment => segments.get(segment) ?? segment)
        .join('/'),
    send: (path, value) => change(path, value, sent),
    read: (path, value) => change(path, value, read),
  };
}

type Direction = 'read' | 'send';
type Change = (value: unknown) => unknown;

interface FieldMap {
  readonly in: RegExp;
  /** Names on the way to the field, `[]` for each of a list. */
  readonly way: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly change: Change;
}

function fieldMap(
  { in: where, at, named, values = [] }: FieldRule,
  direction: Direction,
  readAs: readonly Pair[],
): FieldMap {
  const way = at.replaceAll('[]', '.[]').split('.');
  const own = way.pop() ?? at;
  const theirs = named ?? own;
  const [from, to] = direction === 'send' ? [own, theirs] : [theirs, own];
  const words = new Map(
    direction === 'send'
      ? values
      : [...values.map(([mine, other]) => [other, mine] as const), ...aliasesOf(values, readAs)],
  );
  return {
    in: where,
    way,
    from,
    to,
    change: value => (typeof value === 'string' ? (words.get(value) ?? value) : value),
  };
}

function aliasesOf(values: readonly Pair[], readAs: readonly Pair[]): Pair[] {
  const own = values.map(([mine]) => mine);
  return readAs.flatMap(([mine, other]) => (own.includes(mine) ? [[other, mine] as const] : []));
}

/** The same value where no rule has anything to say, else a copy; nothing is changed in place. */
function change<T>(path: string, value: T, maps: readonly FieldMap[]): T;
function change(path: string, value: unknown, maps: readonly FieldMap[]): unknown {
  const here = maps.filter(map => map.in.test(path));
  if (here.length === 0 || !isRecord(value)) return value;
  const inside = (record: unknown): unknown =>
    here.reduce((changed, map) => changeField(changed, map.way, map), record);
  const changed = inside(value);
  if (!isRecord(changed)) return changed;
  const { items, data } = changed;
  return {
    ...changed,
    ...(Array.isArray(items) && { items: items.map(inside) }),
    ...(Array.isArray(data) ? { data: data.map(inside) } : isRecord(data) && { data: inside(data) }),
  };
}

function changeField(value: unknown, [step, ...rest]: readonly string[], map: FieldMap): unknown {
  if (step === undefined) return changeLast(value, map);
  if (step === '[]') return Array.isArray(value) ? value.map(item => changeField(item, rest, map)) : value;
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: changeField(value[step], rest, map) };
}

function changeLast(value: unknown, { from, to, change: mapped }: FieldMap): unknown {
  if (from === '[]') return Array.isArray(value) ? value.map(mapped) : value;
  if (!isRecord(value) || !Object.hasOwn(value, from)) return value;
  const { [from]: field, ...others } = value;
  if (from === to) return { ...value, [from]: Array.isArray(field) ? field.map(mapped) : mapped(field) };
  return { ...others, [to]: mapped(field) };
}
