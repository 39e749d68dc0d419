import * as content from '../../contract/content-batches.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Executes operations in one transaction, for content as code. Requires an API key with the admin role. */
export const applyContentBatch: Endpoint<typeof content.applyContentBatch, 'deploymentId'> = /* @__PURE__ */ endpoint(
  content.applyContentBatch,
  'deploymentId',
);

/** Lists the objects that content files created, one page at a time. Requires an API key with the admin role. */
export const listManagedContent: Endpoint<typeof content.getManagedContent, 'deploymentId'> = /* @__PURE__ */ endpoint(
  content.getManagedContent,
  'deploymentId',
);
