import type { Loader, LoggerInterface, Runtime, View } from 'vega';
import type { RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { localeDirections } from '../report/format/locale.js';
import { safeHref } from '../report/format/safe-href.js';
import { ChartError, ChartErrorCode } from './chart-error.js';
import { chartLocale } from './chart-locale.js';
import { guardedInterpreter } from './expressions/expression-interpreter.js';
import { loadVega, type Vega } from './load-vega.js';
import { currencyIn } from './spec/column-formats.js';
import { type ChartSize, type Preparation, type PreparedSpec, prepareSpec } from './spec/prepare.js';
import { isObject, isVegaLite, readSpec, rejectExternalResources, rowsName, walk } from './spec/spec.js';
import { type ChartTheme, legendRoom, lightTheme, sizeSignal, vegaConfig, vegaLiteConfig } from './theme.js';
import { type ChartParts, ownLoader, VegaChart } from './vega-chart.js';

/** A loader that loads nothing. Links are let through where they lead to a page, and open in one of their own. */
const offlineLoader: Loader = {
  load: refuse,
  http: refuse,
  file: refuse,
  sanitize: async (uri: string, options: { context?: string } = {}) => {
    const href = options.context === 'href' ? safeHref(uri) : null;
    if (href === null) return refuse();
    return { href, rel: 'noopener noreferrer', target: '_blank' };
  },
};

async function refuse(): Promise<never> {
  throw new ChartError(ChartErrorCode.outside, 'A chart loads nothing from outside.');
}

/** A logger that collects errors, because Vega reports those of a run to its logger alone, and drops everything else. */
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
export { type ChartTheme, darkTheme, lightTheme } from './theme.js';
export type { DrawnRows, VegaChart } from './vega-chart.js';

/** What a chart is drawn from. */
interface ChartOptions {
  /** Specification in Vega or Vega-Lite, as an object or as JSON text. */
  readonly spec: string | JsonObject;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  /** Formats of columns that the report sets over those of the model. */
  readonly formats?: Preparation['formats'];
  /** BCP 47 tag; decides on marks, months, the order of dates and the direction of the chart. */
  readonly locale: string;
  /** Says how many entries a legend leaves out; Vega says it in English. */
  readonly more?: ((count: number) => string) | undefined;
  /** Room for the chart, px. */
  readonly size: ChartSize;
  /** Element that the chart is drawn into; none draws nothing until `toSvg`. */
  readonly container?: Element | undefined;
  /** Device pixels of one px; 1 where it is missing. */
  readonly ratio?: number | undefined;
  /** Called with the view before it draws, to listen to it; what listens goes with the view. */
  readonly onView?: ((view: View, chart: VegaChart) => void) | undefined;
}

/** Channels whose legends show figures if their type is quantitative. */
const figureChannels = ['size', 'color', 'fill', 'stroke', 'opacity', 'fillOpacity', 'strokeOpacity', 'strokeWidth'];

/**
 * Compiles Vega-Lite to Vega, once, for every theme and size: single and layered views take the size of their container.
 * Rows are taken from `data: {name}`, and from a data set `rows` where the specification names none. A specification in Vega
 * comes back checked and otherwise as it is.
 * @throws ChartError for what is unreadable, too large, invalid, or loads from outside.
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

/** The configuration of charts without properties of axes that the specification configures itself, for whatever kind of axis. */
function configFor({ config }: JsonObject): JsonObject {
  const isAxis = (name: string) => name.startsWith('axis');
  const chosen = new Set(
    Object.entries(isObject(config) ? config : {}).flatMap(([name, axis]) =>
      isAxis(name) && isObject(axis) ? Object.keys(axis) : [],
    ),
  );
  if (chosen.has('labelAngle')) chosen.add('labelOverlap');
  const kept = (axis: JsonObject) => Object.fromEntries(Object.entries(axis).filter(([name]) => !chosen.has(name)));
  return Object.fromEntries(
    Object.entries(vegaLiteConfig).map(([name, part]) => [name, isAxis(name) && isObject(part) ? kept(part) : part]),
  );
}

/** Labels of an axis with an explicit angle are not rotated; if they overlap, they are thinned evenly. */
function keepLabelAngles(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key === 'axis' && 'labelAngle' in node) node.labelOverlap ??= 'parity';
  });
}

/** Gives legends of figures the title that Vega-Lite gives them by default: sizes and shades mean nothing without one. */
function titleFigures(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key !== 'encoding') return;
    for (const channel of figureChannels) {
      const given = node[channel];
      if (!isObject(given) || given.type !== 'quantitative' || 'title' in given || given.legend === null) continue;
      const legend = isObject(given.legend) ? given.legend : {};
      const { aggregate, field } = given;
      const name = aggregate === 'count' ? 'Count of Records' : typeof field === 'string' ? field : '';
      const of = typeof aggregate === 'string' && aggregate !== 'count' ? `${titleCase(aggregate)} of ` : '';
      if (name) node[channel] = { ...given, legend: { title: of + name, ...legend } };
    }
  });
}

function titleCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Checks that a compiled specification can become a view: its transforms, scales, signals and expressions are known.
 * @throws ChartError that says what is not.
 */
export async function checkVega(vega: JsonObject): Promise<void> {
  const size = { width: 600, height: 400 };
  const rowSet = { columns: [], rows: [], truncated: false, lastRefreshTime: null };
  const { view } = await makeView({ spec: vega, rowSet, theme: lightTheme, locale: 'en', size });
  view.finalize();
}

/**
 * Makes a view of a specification and draws it. Nothing is loaded from outside, expressions run in Vega's interpreter without
 * `eval`, and see data alone.
 * @throws ChartError when the specification can't be used, or these rows can't be drawn by it.
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

/** Makes a view without rows that has drawn nothing yet. */
async function makeView(options: ChartOptions): Promise<Pick<ChartParts, 'view' | 'gate' | 'problems' | 'prepared'>> {
  const { locale, more, rowSet, size } = options;
  const { vega, prepared, runtime } = await parsedSpec(options);
  const problems: unknown[] = [];
  const loader = ownLoader(offlineLoader);
  const view = attempt(() => {
    const made = new vega.View(runtime, {
      expr: guardedInterpreter,
      loader,
      logger: errorCollector(problems),
      // Its marks are counted before it is drawn.
      renderer: 'none',
    });
    made.locale({ ...chartLocale(vega.locale, locale, currencyIn(rowSet.columns)), more } as unknown as ReturnType<
      View['locale']
    >);
    made.tooltip(() => {});
    made.signal(sizeSignal, size);
    if (prepared.fits) made.width(size.width).height(size.height);
    return made;
  });
  return { view, gate: vega.gateOf(loader), problems, prepared };
}

/** A specification, ready for views to be made of it. */
interface ParsedSpec {
  readonly prepared: PreparedSpec;
  readonly runtime: Runtime;
}

/** What was parsed of a specification last, and for which theme and columns: a chart that comes again is not parsed again. */
const parsed = new WeakMap<JsonObject, ParsedSpec & { readonly preparedFor: string }>();

async function parsedSpec({
  spec,
  theme,
  formats,
  locale,
  size,
  rowSet,
}: ChartOptions): Promise<ParsedSpec & { readonly vega: Vega }> {
  const loading = loadVega();
  const source = typeof spec === 'string' ? null : spec;
  const room = legendRoom(size);
  const directions = localeDirections(locale);
  const preparedFor = JSON.stringify([theme, room, rowSet.columns, formats, directions]);
  const known = source && parsed.get(source);
  if (known?.preparedFor === preparedFor) return { ...known, vega: await loading };
  const [vega, compiled] = await Promise.all([loading, compileVegaLite(spec)]);
  const fitCells = 'layout' in compiled ? (await import('./spec/fit-cells.js')).fitCells : undefined;
  const prepared = prepareSpec(compiled, { theme, size, columns: rowSet.columns, formats, directions, fitCells });
  const runtime = attempt(() =>
    vega.parse(prepared.spec, vegaConfig(theme, { room, isMirrored: prepared.isMirrored, text: directions.text }), {
      ast: true,
    }),
  );
  // Vega marks the rows that a specification brings: no two views may share them.
  if (source && !JSON.stringify(prepared.spec).includes('"values"')) {
    parsed.set(source, { prepared, runtime, preparedFor });
  }
  return { vega, prepared, runtime };
}

/** Draws a chart as SVG text, without a page. */
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

/** What Vega says of a specification is about the specification: no row has been read yet. */
function invalid(language: string, error: unknown): ChartError {
  if (error instanceof ChartError) return error;
  // What a parser stumbles over without having looked for it says nothing to an author.
  const isTold = error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
  const reason = isTold ? error.message.slice(0, 200) : 'a part of it is not what is expected in its place.';
  return new ChartError(ChartErrorCode.invalid, `${language} refuses the chart's specification: ${reason}`);
}
