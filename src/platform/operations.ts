import * as z from 'zod/mini';
import * as appConfig from '../contract/app-config.js';
import * as deployments from '../contract/deployments.js';
import * as embed from '../contract/embed.js';
import * as embedAccess from '../contract/embed-access.js';
import * as grants from '../contract/embed-grant.js';
import * as tenants from '../contract/embed-tenants.js';
import * as notifications from '../contract/notifications.js';
import type { OperationShape, Schema } from '../contract/operation.js';
import * as policies from '../contract/policies.js';
import * as reports from '../contract/reports.js';
import * as repository from '../contract/repository.js';
import * as spec from '../contract/spec.js';
import * as workbooks from '../contract/workbooks.js';

const modules = {
  appConfig,
  deployments,
  embed,
  embedAccess,
  grants,
  notifications,
  policies,
  reports,
  repository,
  spec,
  tenants,
  workbooks,
};

/** A family of operations: what one module of the contract declares. */
export interface Family {
  /** In words. */
  readonly name: string;
  readonly operations: readonly OperationShape[];
  /** Its named schemas. */
  readonly schemas: readonly (readonly [name: string, schema: Schema])[];
}

/** The families of the Platform API. */
export const families: readonly Family[] = Object.entries(modules).map(([name, exported]) => ({
  name: name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`),
  operations: Object.values<unknown>(exported).filter(isOperation),
  schemas: Object.entries<unknown>(exported).flatMap(([key, value]) =>
    isSchema(value) ? [[key, value] as const] : [],
  ),
}));

/** Every operation of the Platform API, as the contract declares it: what is served, described and tested is compared with this. */
export const operations: readonly OperationShape[] = families.flatMap(family => family.operations);

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'object' && value !== null && 'api' in value && value.api === 'platform';
}

function isSchema(value: unknown): value is Schema {
  return value instanceof z.ZodMiniType;
}
