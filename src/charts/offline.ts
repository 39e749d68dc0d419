import type { Loader, LoggerInterface } from 'vega';
import { safeHref } from '../report/href.js';
import { ChartError, ChartErrorCode } from './chart-error.js';

/** A loader that loads nothing. Links are let through where they lead to a page, and open in one of their own. */
export const offlineLoader: Loader = {
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
export function collecting(problems: unknown[]): LoggerInterface {
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
