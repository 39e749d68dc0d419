import type { Query } from '../../contract/query.js';
import type { JsonObject } from '../../contract/wire.js';
import { proposeLayout } from '../chart/proposed-chart.js';
import type { Member, MemberSource } from './members.js';

/** A chart of a template: a load query, and how its rows are shown, as authors write them. */
export interface TemplateChart {
  readonly title: string;
  readonly query: Query;
  /** `kind` and `spec` of the report. */
  readonly meta: JsonObject;
  /** Size on the grid of 12 columns. */
  readonly w: number;
  readonly h: number;
}

/** Charts with which users start a dashboard. */
export interface DashboardTemplate {
  readonly name: string;
  readonly description?: string;
  /** Markdown of a text above the charts. */
  readonly text?: string;
  readonly charts: readonly TemplateChart[];
}

const maxFigures = 4;
/** Maximum number of dimensions whose values are counted. */
const maxCandidates = 6;
const maxCategories = 10;

/** Returns the dimensions by which an overview may group, in the order of the model. */
export function overviewGroups({ members }: MemberSource): readonly Member[] {
  return members.filter(({ kind, type }) => kind === 'dimension' && type === 'string').slice(0, maxCandidates);
}

/**
 * Returns a template with the first measures of a view as figures, its first measure over time and by its first
 * dimensions; `null` if the view has too few members.
 * @param titleOf - title of a measure by a group, such as "Flights by Carrier".
 */
export function overviewTemplate(
  source: MemberSource,
  titleOf: (measure: string, group: string) => string,
): DashboardTemplate | null {
  const { title, description, members } = source;
  const measures = members.filter(({ kind, type }) => kind === 'measure' && type === 'number');
  const main = measures.find(({ counts }) => counts) ?? measures[0];
  const time = members.find(({ kind }) => kind === 'time');
  const groups = overviewGroups(source).slice(0, 2);
  if (!main || (!time && groups.length === 0)) return null;
  const figures = [main, ...measures.filter(measure => measure !== main)].slice(0, maxFigures);
  return {
    name: title,
    description,
    charts: [
      ...figures.map(measure => ({
        title: measure.title,
        query: { measures: [measure.name] },
        meta: { kind: 'kpi', look: 'kpi' },
        w: 12 / maxFigures,
        h: 4,
      })),
      ...(time ? [timeChart(main, time, titleOf(main.title, time.title))] : []),
      ...groups.map(group => categoryChart(main, group, titleOf(main.title, group.title))),
    ],
  };
}

function timeChart(measure: Member, time: Member, title: string): TemplateChart {
  return {
    title,
    query: { measures: [measure.name], timeDimensions: [{ dimension: time.name, granularity: 'month' }] },
    meta: {
      kind: 'vega',
      look: 'line',
      spec: {
        mark: 'line',
        encoding: {
          x: { field: escaped(`${time.name}.month`), type: 'temporal', title: null },
          y: { field: escaped(measure.name), type: 'quantitative', title: measure.title },
        },
      },
    },
    w: 12,
    h: 8,
  };
}

function categoryChart(measure: Member, group: Member, title: string): TemplateChart {
  const chart = {
    mark: 'bar',
    encoding: {
      y: { field: escaped(group.name), type: 'nominal', title: null, sort: null },
      x: { field: escaped(measure.name), type: 'quantitative', title: measure.title },
    },
  };
  return {
    title,
    query: {
      measures: [measure.name],
      dimensions: [group.name],
      order: [[measure.name, 'desc']],
      limit: maxCategories,
    },
    meta: { kind: 'vega', look: 'bar', spec: proposeLayout(chart, { hasFewPeriods: false }) },
    w: 6,
    h: 9,
  };
}

/** Escapes dots, which would mean nested fields. */
function escaped(member: string): string {
  return member.replaceAll('.', '\\.');
}
