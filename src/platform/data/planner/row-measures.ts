import { PlatformError } from '../../errors.js';
import type { MeasureDefinition } from '../model/definition.js';
import type { CubeSource } from '../model/model-schema.js';
import type { ModelSources } from '../model/model-sources.js';
import { parseTemplate, References } from '../model/references.js';
import type { ReadFilters } from './query-filters.js';

type MeasureSource = NonNullable<CubeSource['measures']>[number];

/** Types whose SQL is an expression over measures. For all other types, the compiler adds the aggregate. */
const calculated: ReadonlySet<string> = new Set(['number', 'string', 'time', 'boolean']);

/** Names allowed before a parenthesis in an expression over one row. Any other name could be that of an aggregate. */
const scalar: ReadonlySet<string> = new Set(
  [
    ['and', 'or', 'not', 'in', 'when', 'then', 'else', 'case', 'between', 'is', 'like', 'ilike', 'as'],
    ['cast', 'try_cast', 'decimal', 'numeric', 'varchar', 'coalesce', 'ifnull', 'nullif', 'if', 'greatest', 'least'],
    ['abs', 'ceil', 'ceiling', 'floor', 'round', 'trunc', 'sign', 'mod', 'sqrt', 'power', 'pow', 'exp', 'ln', 'log'],
    [
      'concat',
      'lower',
      'upper',
      'trim',
      'date_trunc',
      'date_diff',
      'datediff',
      'extract',
      'epoch',
      'year',
      'month',
      'day',
    ],
    ['date_part', 'date_bin', 'make_date', 'make_interval', 'timezone', 'to_char', 'to_date', 'to_timestamp'],
    ['substring', 'substr', 'left', 'right', 'length', 'replace', 'position', 'split_part', 'ltrim', 'rtrim', 'btrim'],
  ].flat(),
);

/** Determines which measures have a value per row and can therefore be used in ungrouped queries. */
export class RowMeasures {
  readonly #sources: ModelSources;
  readonly #references: References;
  readonly #cache = new Map<string, boolean>();

  constructor(sources: ModelSources) {
    this.#sources = sources;
    this.#references = new References(sources);
  }

  /**
   * Whether a measure has a value per row. It has none if its SQL contains aggregates, directly or through another
   * measure.
   */
  has({ path, target = path }: MeasureDefinition): boolean {
    const [cube = '', name = ''] = target.split('.');
    return this.#has(cube, name);
  }

  /** @throws PlatformError 400 if an ungrouped query uses measures that need groups of rows. */
  check(measures: readonly MeasureDefinition[], { byMeasures }: ReadFilters): void {
    if (byMeasures) throw new PlatformError(400, 'An ungrouped query cannot filter by measures');
    const other = measures.find(measure => !this.has(measure));
    if (other) throw new PlatformError(400, `${other.path} has no value per row: remove "ungrouped"`);
  }

  #has(cube: string, name: string): boolean {
    const key = `${cube}.${name}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    // Members that are not measures are dimensions, which have a value in every row.
    const measure = this.#sources.cubes.get(cube)?.source.measures?.find(one => one.name === name);
    const found = measure === undefined || this.#isRowLevel(cube, measure);
    this.#cache.set(key, found);
    return found;
  }

  #isRowLevel(cube: string, { type, sql = '', rolling_window }: MeasureSource): boolean {
    return rolling_window === undefined && (!calculated.has(type) || this.#isScalar(cube, sql));
  }

  #isScalar(cube: string, sql: string): boolean {
    return (parseTemplate(sql) ?? ['?(']).every(piece => {
      if (typeof piece === 'string')
        return [...piece.matchAll(/(\w+)"?\s*\(/g)].every(([, name = '']) => scalar.has(name.toLowerCase()));
      const reference = this.#references.resolve(cube, piece);
      return reference?.kind !== 'member' || this.#has(reference.cube, reference.member);
    });
  }
}
