import { ChartError } from '../charts/view.js';
import type { Notice } from '../elements/messages/message-format.js';
import type { PageMessages } from '../elements/messages/page-messages.js';
import { DrawingError } from '../report/table/report-columns.js';

/** Error of a tile whose rows did not arrive in time. */
export class RowsTimeout extends Error {
  override readonly name = 'RowsTimeout';
}

/** Error of an option that names a part that the dashboard does not have. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: 'unknown_widget' | 'unknown_report';

  constructor(code: RenderError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const kindByStatus: Readonly<Record<number, keyof PageMessages['problems']>> = {
  400: 'rejected',
  401: 'session',
  403: 'denied',
  404: 'missing',
  408: 'timeout',
  422: 'rejected',
  504: 'timeout',
};

/**
 * Returns the message for a failed tile. Errors of specifications name the problem; all others are described by their
 * status only, because their messages may quote data.
 */
export function problemNotice(error: unknown, { problems }: PageMessages): Notice {
  if (error instanceof ChartError || error instanceof DrawingError) return [problems.drawing[0], error.message];
  if (error instanceof RowsTimeout) return problems.timeout;
  return problems[kindByStatus[statusOf(error)] ?? 'failed'];
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  const status = 'status' in error ? error.status : 'statusCode' in error && error.statusCode;
  return typeof status === 'number' ? status : 0;
}
