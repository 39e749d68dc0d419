import type { ReportSnapshot } from '../contract/dashboards.js';
import {
  changeIcons,
  type Kpi,
  type KpiChange,
  type KpiProgress,
  type KpiTone,
  type KpiTrend,
  toKpi,
  trendPath,
} from '../report/kpi/kpi.js';
import type { ReportData } from '../report/query/report-data.js';
import { mixColors } from './scene-colors.js';
import { atStart, type SceneContext, textLine } from './scene-context.js';
import { element, groupAt, round, type SvgElement } from './svg-element.js';
import type { Drawing, SceneSize } from './tile-body.js';

const maxFigureSize = 36;
const minFigureSize = 8;
const smallText = 12;
const lineHeight = 20;
const trendHeight = 48;

/** Input of `drawFigure`. */
interface FigureInput {
  readonly snapshot: ReportSnapshot;
  readonly data: ReportData;
  /** Title of the tile. If it contains the label of the figure, the label is omitted. */
  readonly title: string;
}

/** Draws the figure of a KPI with its change, progress or trend. */
export function drawFigure(context: SceneContext, input: FigureInput, { width, height }: SceneSize): Drawing {
  const { locale, formatter, colors, fonts } = context;
  const { snapshot, data, title } = input;
  const presentation = { formatter, preferences: snapshot.preferences };
  const kpi = toKpi({ snapshot, data, presentation, locale });
  const below = belowFigure(context, kpi, { title, width });
  const isAlone = !kpi.change && !kpi.progress && !kpi.trend;
  const text = fonts.drawable(kpi.text, 600);
  const fitting = (width / Math.max(1, fonts.width(text, { size: 100, weight: 600 }))) * 100;
  const size = Math.max(minFigureSize, Math.min(maxFigureSize, fitting, height * (isAlone ? 0.6 : 0.4)));
  const used = size * 1.15 + below.height;
  const top = isAlone ? Math.max(0, (height - used) / 2) : 0;
  const figure = textLine(context, text, {
    ...atStart(context, 0, width),
    y: top + size * 0.95,
    size: round(size),
    weight: 600,
    fill: colors.text,
  });
  const node = element('g', {}, [figure, groupAt(0, top + size * 1.15, below.nodes)]);
  return { node, description: [`${kpi.label}: ${kpi.text}`, ...below.words].join('. '), notes: [] };
}

interface Below {
  readonly nodes: readonly SvgElement[];
  readonly height: number;
  readonly words: readonly string[];
}

/** Draws the label, change, progress and trend below a figure. */
function belowFigure(context: SceneContext, kpi: Kpi, box: { readonly title: string; readonly width: number }): Below {
  const { colors, fonts } = context;
  const { width, title } = box;
  const parts: Below[] = [];
  const line = (text: string): Below => ({
    nodes: [
      textLine(context, fonts.truncate(fonts.drawable(text), width, { size: smallText }), {
        ...atStart(context, 0, width),
        y: 15,
        size: smallText,
        fill: colors.muted,
      }),
    ],
    height: lineHeight,
    words: [text],
  });
  if (!title.toLowerCase().includes(kpi.label.toLowerCase())) parts.push({ ...line(kpi.label), words: [] });
  if (kpi.change) parts.push(changeLine(context, kpi.change, width));
  if (kpi.progress) parts.push(...progressParts(context, kpi.progress, { width, line }));
  if (kpi.trend) parts.push(trendPart(context, kpi.trend, width));
  const nodes: SvgElement[] = [];
  let y = 0;
  for (const part of parts) {
    nodes.push(groupAt(0, y, part.nodes));
    y += part.height;
  }
  return { nodes, height: y, words: parts.flatMap(({ words }) => words) };
}

function toneColor({ colors }: SceneContext, tone: KpiTone): string {
  return { good: colors.success, bad: colors.danger, neutral: colors.text }[tone];
}

function changeLine(context: SceneContext, { direction, text, tone, against }: KpiChange, width: number): Below {
  const { messages, fonts, colors, direction: reading } = context;
  const words = messages.kpi;
  const versus = typeof against === 'string' ? words.versus(against) : words.versusPeriod(against);
  const amount = direction === 'none' ? words.unchanged : (text ?? words.incomparable);
  const color = text === null ? colors.muted : toneColor(context, tone);
  const amountWidth = fonts.width(fonts.drawable(amount, 600), { size: smallText, weight: 600 });
  const iconWidth = text === null ? 0 : 15;
  const isMirrored = reading === 'rtl';
  const at = (x: number, part: number): number => (isMirrored ? width - x - part : x);
  const rest = Math.max(0, width - iconWidth - amountWidth - 4);
  const icon = element('path', {
    d: changeIcons[tone][direction],
    fill: tone === 'bad' ? color : 'none',
    stroke: color,
    'stroke-width': 1.75,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    transform: `translate(${round(at(0, 12))} 5)`,
  });
  const style = { y: 15, size: smallText } as const;
  const nodes = [
    ...(text === null ? [] : [icon]),
    textLine(context, amount, { ...style, x: at(iconWidth, amountWidth), weight: 600, fill: color }),
    textLine(context, fonts.truncate(fonts.drawable(versus), rest, { size: smallText }), {
      ...style,
      ...atStart(context, isMirrored ? 0 : iconWidth + amountWidth + 4, rest),
      fill: colors.muted,
    }),
  ];
  return { nodes, height: lineHeight, words: [`${amount} ${versus}`] };
}

function progressParts(
  context: SceneContext,
  { share, percent, target, tone }: KpiProgress,
  { width, line }: { readonly width: number; readonly line: (text: string) => Below },
): Below[] {
  const { messages, colors, direction } = context;
  if (share === null) return [line(messages.kpi.noTarget)];
  const filled = Math.max(0, Math.min(1, share)) * width;
  const color = tone === 'neutral' ? colors.accent : toneColor(context, tone);
  const bar = { y: 8, height: 8, rx: 4 };
  return [
    {
      nodes: [
        element('rect', { ...bar, x: 0, width: round(width), fill: mixColors(colors.text, 0.12, colors.surface) }),
        element('rect', {
          ...bar,
          x: round(direction === 'rtl' ? width - filled : 0),
          width: round(filled),
          fill: color,
        }),
      ],
      height: 18,
      words: [],
    },
    line(messages.kpi.ofTarget(percent, target)),
  ];
}

function trendPart({ messages, colors }: SceneContext, trend: KpiTrend, width: number): Below {
  const scale = { x: width / 100, y: (trendHeight - 8) / 30 };
  // The path is in a box of 100 by 30. Scale its coordinates here, so that the line keeps its width.
  const d = trendPath(trend).replace(
    /([ML])([\d.]+),([\d.]+)/g,
    (_, command: string, x: string, y: string) =>
      `${command}${round(Number(x) * scale.x)},${round(8 + Number(y) * scale.y)}`,
  );
  const { from, to, lowest, highest } = trend;
  return {
    nodes: [
      element('path', { d, fill: 'none', stroke: colors.accent, 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
    ],
    height: trendHeight + 4,
    words: [messages.kpi.trend(from, to, lowest, highest)],
  };
}
