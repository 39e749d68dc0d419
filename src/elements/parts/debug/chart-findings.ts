import { chartProblems } from '../../../controllers/chart-problems.js';
import type { PaTileChart } from '../chart/chart-element.js';
import type { Finding } from './findings.js';

/** What is wrong with the charts inside an element, across its shadow roots. */
export async function chartFindings(element: HTMLElement): Promise<readonly Finding[]> {
  const charts = [...chartsIn(element.shadowRoot ?? element)];
  const found = await Promise.all(charts.map(findingsOf));
  return found.flat();
}

async function findingsOf({ snapshot, rowSet, label }: PaTileChart): Promise<Finding[]> {
  if (!snapshot || !rowSet) return [];
  try {
    const problems = await chartProblems(snapshot, rowSet);
    return problems.map(what => ({ what: `${label}: ${what}`, advice: '' }));
  } catch {
    // The tile itself shows what keeps a chart from being drawn.
    return [];
  }
}

function* chartsIn(root: ParentNode): Generator<PaTileChart> {
  for (const element of root.querySelectorAll('*')) {
    if (isChart(element)) yield element;
    else if (element.shadowRoot) yield* chartsIn(element.shadowRoot);
  }
}

function isChart(element: Element): element is PaTileChart {
  return element.localName === 'pa-tile-chart';
}
