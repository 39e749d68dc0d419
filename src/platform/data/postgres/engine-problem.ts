import pg from 'pg';
import { LoggableError, PlatformError } from '../../errors.js';
import { QueryProblem, StopReason, stoppedProblem } from '../query-problem.js';
import { ValueProblem } from '../sql/expression/value-problem.js';

const unreachable = "The data source can't be reached: try again in a moment.";

type Told = () => Error;

const refused = (status: number, message: string) => (): Error => new PlatformError(status, message);

/** What the server's conditions mean for the caller: by the whole code, else by its class. */
const conditions: ReadonlyMap<string, Told> = new Map([
  ['22012', refused(400, ValueProblem.division)],
  ['22003', refused(400, ValueProblem.range)],
  ['2201E', refused(400, ValueProblem.logarithm)],
  ['2201F', refused(400, ValueProblem.root)],
  ['22008', refused(400, ValueProblem.range)],
  ['22', refused(400, QueryProblem.value)],
  ['21000', refused(400, QueryProblem.rows)],
  ['54', refused(400, 'The query is too large: ask for fewer members, or fewer values in its filters.')],
  ['53100', refused(400, QueryProblem.memory)],
  ['53200', refused(400, QueryProblem.memory)],
  ['53400', refused(400, QueryProblem.memory)],
  ['57014', () => stoppedProblem(StopReason.timeout)],
  // A server that is full, shutting down, starting, in conflict with its primary, or lets nobody in any more.
  ...['08', '28', '3D', '40', '53', '57'].map((code): [string, Told] => [code, refused(503, unreachable)]),
]);

/**
 * Turns what the server or the way to it threw into what may be shown: a `PlatformError` for what the query brought about, else an error
 * for the log. The server's own text is dropped wherever it can quote a value of a row or of a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError || error instanceof LoggableError) return error;
  if (error instanceof pg.DatabaseError) return serverProblem(error);
  if (isConnectionLost(error)) return new PlatformError(503, unreachable);
  return new LoggableError('The data source failed: unknown error');
}

function serverProblem({ code = '', message, position }: pg.DatabaseError): Error {
  const told = conditions.get(code) ?? conditions.get(code.slice(0, 2));
  if (told) return told();
  if (code === '0A000' && message.includes('FULL JOIN')) return new PlatformError(400, QueryProblem.fullJoin);
  // With a place in the statement it is of reading it, before any row: it speaks of names in our SQL.
  const [names = ''] = code.startsWith('42') && position !== undefined ? message.split('\n') : [];
  return new LoggableError(`The data source refused a statement: ${names === '' ? code : `${names} (${code})`}`);
}

/** Of the system, or of the client once it has lost its connection. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    'syscall' in error || /^(Connection terminated|timeout exceeded|Client (has|was)|Cannot use)/i.test(error.message)
  );
}
