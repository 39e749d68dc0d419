export type { SessionSource } from '../../client/session/session-status.js';
export type { Query } from '../../contract/query.js';
export type { Column, RowSet } from '../../contract/row-set.js';
export type { Problem, ProblemKind } from '../problem.js';
export { findSession } from './find-session.js';
export { RowsController, type RowsOptions, type RowsSessionOptions, type RowsStatus } from './rows-controller.js';
