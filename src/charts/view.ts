import type { Loader, LoggerInterface, Runtime, View } from 'vega';
import type { RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { missing } from '../report/format/format.js';
import { localeDirections } from '../report/format/locale.js';
import { safeHref } from '../report/format/safe-href.js';
import { ChartError, ChartErrorCode } from './chart-error.js';
import { chartLocale } from './chart-locale.js';
import { guardedInterpreter } from './expressions/expression-interpreter.js';
import { loadVega, type Vega } from './load-vega.js';
import { currencyIn } from './spec/column-formats.js';
import { type ChartSize, type Preparation, type PreparedSpec, prepareSpec } from './spec/prepare.js';
import { isObject, isVegaLite, readSpec, rejectExternalResources, rowsName, walk } from './spec/spec.js';
import { type ChartTheme, legendSpaceOf, lightTheme, sizeSignal, vegaConfig, vegaLiteConfig } from './theme.js';
import { type ChartParts, copyLoader, VegaChart } from './vega-chart.js';

/** A loader that rejects all requests. Allows links with a safe target, which open in a new tab. */
const offlineLoader: Loader = {
  load: rejectLoad,
  http: rejectLoad,
  file: rejectLoad,
  sanitize: async (uri: string, options: { context?: string } = {}) => {
    const href = options.context === 'href' ? safeHref(uri) : null;
    if (href === null) return rejectLoad();
    return { href, rel: 'noopener noreferrer', target: '_blank' };
  },
};

async function rejectLoad(): Promise<never> {
  throw new ChartError(ChartErrorCode.outside, 'Charts cannot load external resources.');
}

/** Creates a logger that collects errors and drops everything else. Vega reports errors of a run only to its logger. */
function errorCollector(problems: unknown[]): LoggerInterface {
  const drop = () => logger;
  function level(): number;
  function level(value: number): LoggerInterface;
  function level(value?: number): number | LoggerInterface {
    return value === undefined ? 1 : logger;
  }
  const logger: LoggerInterface = {
    level,
    error: (...problem: readonly unknown[]) => {
      problems.push(problem[0]);
      return logger;
    },
    warn: drop,
    info: drop,
    debug: drop,
  };
  return logger;
}

export { ChartError, ChartErrorCode } from './chart-error.js';
export { chartFacts } from './interaction/chart-facts.js';
export { DataMarks } from './interaction/data-marks.js';
export { measureChartTexts } from './load-vega.js';
export { type ChartTheme, darkTheme, lightTheme } from './theme.js';
export type { RenderedRows, VegaChart } from './vega-chart.js';

/** Options of `createView`. */
interface ChartOptions {
  /** Specification in Vega or Vega-Lite, as an object or as JSON text. */
  readonly spec: string | JsonObject;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  /** Column formats of the report, which override those of the model. */
  readonly formats?: Preparation['formats'];
  /** BCP 47 tag; determines number formats, month names, the order of dates and the direction of the chart. */
  readonly locale: string;
  /** Formats the number of hidden legend entries. Vega's own text is English. */
  readonly more?: ((count: number) => string) | undefined;
  /** Size of the chart, px. */
  readonly size: ChartSize;
  /** Element to render into. If not set, nothing is rendered until `toSvg` is called. */
  readonly container?: Element | undefined;
  /** Device pixels per CSS px; 1 by default. */
  readonly ratio?: number | undefined;
  /** Called with the view before it is drawn, to add event listeners. The view removes them when it is finalized. */
  readonly onView?: ((view: View, chart: VegaChart) => void) | undefined;
}

/** Channels whose legends show numbers if their type is quantitative. */
const figureChannels = ['size', 'color', 'fill', 'stroke', 'opacity', 'fillOpacity', 'strokeOpacity', 'strokeWidth'];

/**
 * Compiles Vega-Lite to Vega, once for all themes and sizes. Single and layered views take the size of their container.
 * Rows come from `data: {name}`, or from a data set `rows` if the specification names none. A Vega specification is
 * checked and returned unchanged.
 * @throws ChartError if the specification is unreadable, too large or invalid, or references external resources.
 */
export async function compileVegaLite(source: string | JsonObject): Promise<JsonObject> {
  const spec = readSpec(source);
  rejectExternalResources(spec);
  if (!isVegaLite(spec)) return spec;
  const { compileSpec } = await import('./vega-lite.js');
  const sized = 'mark' in spec || 'layer' in spec ? !isFaceted(spec) : false;
  const complete = {
    data: { name: rowsName },
    ...spec,
    ...(sized ? { width: 'container', height: 'container', autosize: { type: 'fit', contains: 'padding' } } : {}),
  };
  keepLabelAngles(complete);
  titleFigures(complete);
  try {
    return readSpec(JSON.stringify(compileSpec(complete, configFor(spec), errorCollector([]))));
  } catch (error) {
    throw invalid('Vega-Lite', error);
  }
}

/** Returns the default configuration without axis properties that the specification configures for any kind of axis. */
function configFor({ config }: JsonObject): JsonObject {
  const isAxis = (name: string) => name.startsWith('axis');
  const chosen = new Set(
    Object.entries(isObject(config) ? config : {}).flatMap(([name, axis]) =>
      isAxis(name) && isObject(axis) ? Object.keys(axis) : [],
    ),
  );
  if (chosen.has('labelAngle')) chosen.add('labelOverlap');
  const withoutChosen = (axis: JsonObject) =>
    Object.fromEntries(Object.entries(axis).filter(([name]) => !chosen.has(name)));
  return Object.fromEntries(
    Object.entries(vegaLiteConfig).map(([name, part]) => [
      name,
      isAxis(name) && isObject(part) ? withoutChosen(part) : part,
    ]),
  );
}

/**
 * Keeps the labels of axes with an explicit angle from being rotated. If they overlap, labels are omitted at even
 * intervals.
 */
function keepLabelAngles(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key === 'axis' && 'labelAngle' in node) node.labelOverlap ??= 'parity';
  });
}

/** Adds Vega-Lite's default title to legends of numbers: sizes and shades have no meaning without a title. */
function titleFigures(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key !== 'encoding') return;
    for (const channel of figureChannels) {
      const given = node[channel];
      if (!isObject(given) || given.type !== 'quantitative' || 'title' in given || given.legend === null) continue;
      const legend = isObject(given.legend) ? given.legend : {};
      const title = figureTitle(given);
      if (title) node[channel] = { ...given, legend: { title, ...legend } };
    }
  });
}

function figureTitle({ aggregate, field }: JsonObject): string {
  if (aggregate === 'count') return 'Count of Records';
  if (typeof field !== 'string' || field === '') return '';
  return typeof aggregate === 'string' ? `${titleCase(aggregate)} of ${field}` : field;
}

function titleCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Checks that a compiled specification can become a view, with known transforms, scales, signals and expressions.
 * @throws ChartError with the unknown part.
 */
export async function checkVega(vega: JsonObject): Promise<void> {
  const size = { width: 600, height: 400 };
  const rowSet = { columns: [], rows: [], truncated: false, lastRefreshTime: null };
  const { view } = await makeView({ spec: vega, rowSet, theme: lightTheme, locale: 'en', size });
  view.finalize();
}

/**
 * Creates and renders a view. It loads no external resources, and expressions run in an interpreter without `eval` that
 * can access data only.
 * @throws ChartError if the specification is invalid or cannot render these rows.
 */
export async function createView(options: ChartOptions): Promise<VegaChart> {
  const { theme, size, container, ratio } = options;
  const { view, ...parts } = await makeView(options);
  const chart = new VegaChart({
    ...parts,
    view,
    size,
    container: container ?? null,
    surface: theme.surface,
    ratio: ratio ?? 1,
  });
  try {
    options.onView?.(view, chart);
    await chart.setRows(options.rowSet);
  } catch (error) {
    chart.dispose();
    throw error;
  }
  return chart;
}

/** Creates a view without rows that has not rendered anything yet. */
async function makeView(options: ChartOptions): Promise<Pick<ChartParts, 'view' | 'gate' | 'problems' | 'prepared'>> {
  const { locale, more, rowSet, size } = options;
  const { vega, prepared, runtime } = await parsedSpec(options);
  const problems: unknown[] = [];
  const loader = copyLoader(offlineLoader);
  const view = attempt(() => {
    const created = new vega.View(runtime, {
      expr: guardedInterpreter,
      loader,
      logger: errorCollector(problems),
      // The renderer is chosen after the marks are counted.
      renderer: 'none',
    });
    const texts = { ...chartLocale(vega.locale, locale, currencyIn(rowSet.columns)), more, missing };
    created.locale(texts as unknown as ReturnType<View['locale']>);
    created.tooltip(() => {});
    created.signal(sizeSignal, size);
    if (prepared.fits) created.width(size.width).height(size.height);
    return created;
  });
  return { view, gate: vega.gateOf(loader), problems, prepared };
}

/** A parsed specification from which views are created. */
interface ParsedSpec {
  readonly prepared: PreparedSpec;
  readonly runtime: Runtime;
}

/**
 * Caches the last parsed form of a specification with the options that it depends on, so that a chart that is mounted
 * again is not parsed again.
 */
const parsedSpecs = new WeakMap<JsonObject, ParsedSpec & { readonly preparedFor: string }>();

async function parsedSpec({
  spec,
  theme,
  formats,
  locale,
  size,
  rowSet,
}: ChartOptions): Promise<ParsedSpec & { readonly vega: Vega }> {
  const source = typeof spec === 'string' ? null : spec;
  const legendSpace = legendSpaceOf(size);
  const directions = localeDirections(locale);
  const preparedFor = JSON.stringify([theme, legendSpace, rowSet.columns, formats, locale]);
  const cached = source && parsedSpecs.get(source);
  if (cached?.preparedFor === preparedFor) return { ...cached, vega: await loadVega() };
  const [compiled] = await Promise.all([compileVegaLite(spec), loadVega()]);
  // Call this after importing Vega-Lite, because the import can replace the transforms.
  const vega = await loadVega();
  const fitCells = 'layout' in compiled ? (await import('./spec/fit-cells.js')).fitCells : undefined;
  const prepared = prepareSpec(compiled, {
    theme,
    size,
    columns: rowSet.columns,
    formats,
    directions,
    locale,
    fitCells,
  });
  const runtime = attempt(() =>
    vega.parse(
      prepared.spec,
      vegaConfig(theme, { legendSpace, isMirrored: prepared.isMirrored, text: directions.text }),
      {
        ast: true,
      },
    ),
  );
  // Vega adds IDs to inline rows, so views must not share them.
  if (source && !JSON.stringify(prepared.spec).includes('"values"')) {
    parsedSpecs.set(source, { prepared, runtime, preparedFor });
  }
  return { vega, prepared, runtime };
}

/** Renders a chart as SVG text, without a page. */
export async function renderSvg(options: Omit<ChartOptions, 'container' | 'onView'>): Promise<string> {
  const view = await createView(options);
  try {
    return await view.toSvg();
  } finally {
    view.dispose();
  }
}

function isFaceted({ encoding }: JsonObject): boolean {
  return isObject(encoding) && ['row', 'column', 'facet'].some(channel => channel in encoding);
}

function attempt<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw invalid('Vega', error);
  }
}

/** Converts a Vega error to a `ChartError`. Its message contains no values of rows, because none have been read yet. */
function invalid(language: string, error: unknown): ChartError {
  if (error instanceof ChartError) return error;
  // Messages of internal parser errors do not help an author.
  const isDeliberate = error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
  const reason = isDeliberate ? error.message.slice(0, 200) : 'a property has an unexpected type.';
  return new ChartError(ChartErrorCode.invalid, `${language} rejects the chart specification: ${reason}`);
}
