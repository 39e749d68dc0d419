import { checkEmbedGrant, type EmbedGrant, type GrantProblem } from '../../contract/embed-grant.js';
import { PlatformError } from '../errors.js';
import type { Db } from '../store/database.js';
import { findDeployment } from '../store/deployments.js';
import { createSession } from '../store/sessions.js';
import { readDefault } from '../store/user-attributes.js';
import { notFound } from './access.js';
import { applyGrant } from './apply-grant.js';

/**
 * Applies a grant and mints its one-time session (domain facts 1.1). A grant that is refused has changed nothing.
 * @returns the session id.
 */
export async function mintSession(db: Db, grant: EmbedGrant): Promise<string> {
  const problem = checkEmbedGrant(grant) ?? checkDefaults(grant);
  if (problem) throw new PlatformError(400, `body.${problem.field}: ${problem.message}`);
  if (grant.branchName != null) throw notFound('Branch');
  if (!(await findDeployment(db, grant.deploymentId))) throw notFound('Deployment');
  return applyGrant(db, grant, 'body', createSession);
}

function checkDefaults(grant: EmbedGrant): GrantProblem | null {
  const wrong = (grant.userAttributeDefinitions ?? []).find(
    ({ type, defaultValue }) => defaultValue != null && readDefault(type, defaultValue) === null,
  );
  if (!wrong) return null;
  const message = `the defaultValue of ${wrong.name} must be JSON text of a ${wrong.type}`;
  return { field: 'userAttributeDefinitions', message };
}
