import { isRecord } from './http/fetch.js';

/** Names of the built-in dialects; `neutral` is the contract's own vocabulary. */
export type DialectName = 'neutral' | 'cube';

/**
 * Translates between the contract's names and those of a service. Pass it to a connection, a session source or the Node
 * helper. Paths are matched by their templates, so that parameter values are never translated; in bodies, only the
 * fields of the table are translated.
 */
export interface Dialect {
  readonly name: string;
  /** Default path of the Data API on the host of a deployment. */
  readonly dataApiPath: string;
  /** Header that carries the chat token. */
  readonly chatTokenHeader: string;
  /** Key under which the service adds groups and attributes to a security context; a grant must not contain it. */
  readonly securityContextKey: string;
  /** Translates a path template of the contract to the service's. */
  path(path: string): string;
  /** Translates a query or body for a path of the contract to the service's names. */
  send<T>(path: string, value: T): T;
  /** Translates a response from a path of the contract to the contract's names. */
  read<T>(path: string, value: T): T;
}

/** A name in the contract, and the name that the service uses for it. */
export type Pair = readonly [own: string, theirs: string];

/**
 * A field whose name or values differ. `at` is its path in a record, with `[]` after a list; the last part is the
 * contract's name. Records are the body itself and each of its `items` and `data`.
 */
export interface FieldRule {
  /** Path templates of the contract whose bodies have the field. */
  readonly in: RegExp;
  readonly at: string;
  /** The service's name of the field, if it differs. */
  readonly named?: string;
  /** Values with different names; other values stay unchanged. */
  readonly values?: readonly Pair[];
}

/** All differences between a service's names and the contract's. */
export interface DialectTable {
  readonly name: string;
  readonly dataApiPath: Pair;
  readonly chatTokenHeader: Pair;
  readonly securityContextKey: Pair;
  /** Whole path templates that differ. */
  readonly paths: readonly Pair[];
  /** Path segments that differ. */
  readonly segments: readonly Pair[];
  readonly fields: readonly FieldRule[];
  /** Values that only the service uses, each with the value of the contract that replaces it. */
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
 * The names of the public service whose API the contract follows, as published in its API document (paths, fields,
 * values) and its pages on embedding (security context, base path of the Data API) and chat (header, tools, nodes).
 */
export const cubeTable: DialectTable = {
  name: 'cube',
  dataApiPath: ['/data-api', '/cubejs-api'],
  chatTokenHeader: ['X-Platform-Auth-Token', 'X-Cube-Auth-Token'],
  securityContextKey: ['platform', 'cubeCloud'],
  // The service has another `/v1/sql`, which returns generated SQL; the contract's operation is its `/v1/cubesql`.
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

/** Dialect of the public service `cube`. */
export const cube: Dialect = /* @__PURE__ */ dialectOf(cubeTable);

/**
 * Creates a dialect from its table.
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
  /** Names of the parent fields; `[]` means each item of a list. */
  readonly parents: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly change: Change;
}

function fieldMap(
  { in: where, at, named, values = [] }: FieldRule,
  direction: Direction,
  readAs: readonly Pair[],
): FieldMap {
  const parents = at.replaceAll('[]', '.[]').split('.');
  const own = parents.pop() ?? at;
  const theirs = named ?? own;
  const [from, to] = direction === 'send' ? [own, theirs] : [theirs, own];
  const words = new Map(
    direction === 'send'
      ? values
      : [...values.map(([mine, other]) => [other, mine] as const), ...aliasesOf(values, readAs)],
  );
  return {
    in: where,
    parents,
    from,
    to,
    change: value => (typeof value === 'string' ? (words.get(value) ?? value) : value),
  };
}

function aliasesOf(values: readonly Pair[], readAs: readonly Pair[]): Pair[] {
  const own = values.map(([mine]) => mine);
  return readAs.flatMap(([mine, other]) => (own.includes(mine) ? [[other, mine] as const] : []));
}

/** Returns the same value if no rule applies, else a changed copy. */
function change<T>(path: string, value: T, maps: readonly FieldMap[]): T;
function change(path: string, value: unknown, maps: readonly FieldMap[]): unknown {
  const here = maps.filter(map => map.in.test(path));
  if (here.length === 0 || !isRecord(value)) return value;
  const inside = (record: unknown): unknown =>
    here.reduce((changed, map) => changeField(changed, map.parents, map), record);
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
