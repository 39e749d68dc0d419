import { listContentRuns as operation } from '../../contract/content-runs.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the runs that applied the content of a deployment's repository, newest first. */
export const listContentRuns: Endpoint<typeof operation, 'deploymentId'> = /* @__PURE__ */ endpoint(
  operation,
  'deploymentId',
);
