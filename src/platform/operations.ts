import * as appConfig from '../contract/app-config.js';
import * as deployments from '../contract/deployments.js';
import * as embed from '../contract/embed.js';
import * as embedAccess from '../contract/embed-access.js';
import * as grants from '../contract/embed-grant.js';
import * as tenants from '../contract/embed-tenants.js';
import * as notifications from '../contract/notifications.js';
import type { OperationShape } from '../contract/operation.js';
import * as policies from '../contract/policies.js';
import * as reports from '../contract/reports.js';
import * as repository from '../contract/repository.js';
import * as workbooks from '../contract/workbooks.js';

const families = {
  appConfig,
  deployments,
  embed,
  embedAccess,
  grants,
  notifications,
  policies,
  reports,
  repository,
  tenants,
  workbooks,
};

/** Every operation of the Platform API, as the contract declares it: what is served, described and tested is compared with this. */
export const operations: readonly OperationShape[] = Object.values(families).flatMap(family =>
  Object.values<unknown>(family).filter(isOperation),
);

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'object' && value !== null && 'api' in value && value.api === 'platform';
}
