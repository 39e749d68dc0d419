/** A value of the syntax tree that DuckDB serializes as JSON. */
type Node = unknown;
type Fields = Readonly<Record<string, unknown>>;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Functions that depend only on their arguments and the current time, and whose result is not much larger than their
 * arguments. Not allowed are functions that read settings, files, the catalog or SQL text, such as `current_setting`,
 * `query` and `json_deserialize_sql`, and those that call a function by name, wait, or repeat strings.
 */
const allowedFunctions = words(`
  + - * / // % ** ^ & | ~ << >> || ! ~~ !~~ ~~* !~~* ~~~ -> ->> @ ^@ && @> <@
  abs acos add age array_contains array_distinct array_extract array_has array_length array_position array_slice array_to_string
  array_unique array_value ascii asin atan atan2 base64 bin bit_count bit_length cardinality cbrt ceil ceiling century
  char_length character_length chr coalesce concat concat_ws contains cos cot current_date current_localtime
  current_localtimestamp current_timestamp damerau_levenshtein date_add date_diff date_part date_sub date_trunc datediff
  datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade degrees divide editdist3
  element_at ends_with epoch epoch_ms epoch_ns epoch_us era error even exp factorial fdiv floor fmod from_base64 gamma gcd
  generate_series get_current_timestamp greatest hamming hash hex hour if ifnull ilike_escape instr isfinite isinf isnan
  isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json_array_length json_contains json_exists json_extract
  json_extract_path json_extract_path_text json_extract_string json_keys json_type json_valid json_value julian last_day
  lcase lcm least left len length levenshtein lgamma like_escape list_contains list_count list_distinct list_element
  list_extract list_has list_indexof list_max list_min list_position list_slice list_sort list_sum list_unique list_value
  ln log log10 log2 lower ltrim make_date make_time make_timestamp map_extract map_keys map_values md5 microsecond
  millennium millisecond minute mod month monthname multiply nanosecond not_ilike_escape not_like_escape now nullif
  octet_length ord pi position pow power prefix quarter radians regexp_escape regexp_extract regexp_full_match
  regexp_matches regexp_replace replace reverse right round round_even row rtrim second sha256 sign signbit sin split
  split_part sqrt starts_with str_split strftime string_split strip_accents strlen strpos strptime struct_extract
  struct_extract_at struct_pack substr substring subtract suffix tan time_bucket timezone to_days to_hours
  to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years today translate trim trunc
  try_strptime typeof ucase unicode unnest upper week weekday weekofyear xor year yearweek
  any_value approx_count_distinct approx_quantile arbitrary arg_max arg_min argmax argmin array_agg avg bit_and bit_or
  bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp cume_dist dense_rank entropy favg
  first first_value fsum group_concat kurtosis lag last last_value lead list listagg mad max max_by mean median min min_by
  mode nth_value ntile percent_rank product quantile quantile_cont quantile_disc rank regr_avgx regr_avgy regr_count
  regr_intercept regr_r2 regr_slope row_number skewness stddev stddev_pop stddev_samp string_agg sum var_pop var_samp
  variance
`);

const allowedExpressions = words(
  'BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION OPERATOR PARAMETER POSITIONAL_REFERENCE STAR SUBQUERY WINDOW',
);
/**
 * Types of queries, of items in FROM, and of modifiers such as ORDER BY. Recursive queries, table functions, PIVOT and
 * SHOW are not allowed.
 */
const allowedNodes = words(`
  SELECT_NODE SET_OPERATION_NODE BASE_TABLE SUBQUERY JOIN EXPRESSION_LIST EMPTY ORDER_MODIFIER LIMIT_MODIFIER
  LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING
`);

/**
 * Maximum number of nodes of a statement after DuckDB's binder has repeated parts of it. The binder does not check time
 * limits, and nested repetitions grow exponentially.
 */
const maxPlannedNodes = 200_000;

/** Why a statement must not run. */
class Refusal extends Error {}

/**
 * Checks a statement that contains SQL of an untrusted model: it is one SELECT, reads only the given tables and its own
 * subqueries, and calls only harmless functions.
 * @param serialized - the syntax tree, as DuckDB's `json_serialize_sql` returns it. DuckDB parses the statement itself,
 * so the tree is that of the statement that runs.
 * @returns the reason why the statement must not run, or `null`.
 */
export function statementProblem(serialized: string, tables: readonly string[]): string | null {
  try {
    const tree: Fields = JSON.parse(serialized);
    if (tree.error === true) return isSyntaxError(tree) ? String(tree.error_message) : 'only SELECT is allowed';
    const { statements } = tree;
    if (!Array.isArray(statements) || statements.length !== 1) return 'only one statement is allowed';
    checkNode(statements[0], new Set(tables));
    return plannedNodes(statements[0]) > maxPlannedNodes ? 'it is nested too deeply' : null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Counts the nodes of a tree, including those that the binder repeats. */
function plannedNodes(node: Node): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + plannedNodes(item), 0);
  if (!isFields(node)) return 0;
  const times = repetitionsOf(node);
  return Object.entries(node).reduce((sum, [key, value]) => sum + plannedNodes(value) * (times[key] ?? 1), 1);
}

/** Returns how often the binder repeats the values of a node, by key. */
function repetitionsOf({ class: kind, function_name: name }: Fields): Readonly<Record<string, number>> {
  if (kind === 'BETWEEN') return { input: 2 };
  if (kind !== 'FUNCTION') return {};
  if (name === 'nullif' || name === 'split_part') return { children: 2 };
  return name === 'round' || name === 'trunc' ? { children: 4 } : {};
}

function isSyntaxError({ error_type }: Fields): boolean {
  return error_type === 'parser';
}

function isFields(node: Node): node is Fields {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** @param scope - names that FROM may use: the tables, and the common table expressions that are visible here. */
function checkNode(node: Node, scope: ReadonlySet<string>): void {
  if (Array.isArray(node)) for (const item of node) checkNode(item, scope);
  if (!isFields(node)) return;
  if (typeof node.class === 'string') {
    checkExpression(node, scope);
    return;
  }
  if (typeof node.type === 'string' && !allowedNodes.has(node.type)) throw refusalOf(node);
  if (node.type === 'BASE_TABLE') checkTable(node, scope);
  const { cte_map: named, ...rest } = node;
  const inner = isFields(named) ? checkNamed(named.map, scope) : scope;
  checkNode(Object.values(rest), inner);
}

/**
 * Checks common table expressions and returns the scope that includes them. Each can refer only to the previous ones.
 */
function checkNamed(entries: Node, scope: ReadonlySet<string>): ReadonlySet<string> {
  const visible = new Set(scope);
  for (const entry of Array.isArray(entries) ? entries : []) {
    checkNode(entry.value, visible);
    visible.add(String(entry.key));
  }
  return visible;
}

function checkTable({ table_name: name, schema_name, catalog_name, at_clause }: Fields, scope: ReadonlySet<string>) {
  const isPlain = !schema_name && !catalog_name && !at_clause;
  if (isPlain && typeof name === 'string' && scope.has(name)) return;
  throw new Refusal(`${JSON.stringify(name)} is not a table of this deployment`);
}

function checkExpression(node: Fields, scope: ReadonlySet<string>): void {
  const kind = String(node.class);
  if (!allowedExpressions.has(kind)) throw new Refusal(`${kind.toLowerCase()} expressions are not allowed`);
  if (kind === 'CONSTANT') return;
  if (kind === 'FUNCTION' || kind === 'WINDOW') checkFunction(node);
  const { class: _, type: __, cast_type: ___, ...rest } = node;
  checkNode(Object.values(rest), scope);
}

function checkFunction({ function_name: name, schema, catalog, children }: Fields): void {
  const isPlain = !catalog && (!schema || schema === 'main');
  if (name === 'generate_series' && !(Array.isArray(children) && isInterval(children[2]))) {
    throw new Refusal('generate_series is allowed only with an interval');
  }
  if (isPlain && typeof name === 'string' && allowedFunctions.has(name.toLowerCase())) return;
  throw new Refusal(`the function ${String(name)} is not allowed`);
}

function isInterval(node: Node): boolean {
  return isFields(node) && node.class === 'CAST' && isFields(node.cast_type) && node.cast_type.id === 'INTERVAL';
}

function refusalOf({ type, function: called }: Fields): Refusal {
  if (type === 'TABLE_FUNCTION' && isFields(called)) {
    return new Refusal(`the table function ${String(called.function_name)} is not allowed`);
  }
  return new Refusal(`${String(type).toLowerCase().replaceAll('_', ' ')} is not allowed`);
}
