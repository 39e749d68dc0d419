import { PlatformError } from '../errors.js';
import type { Principal } from './principal.js';
import type { DataClaims } from './tokens.js';

/** Deployment that the platform serves from `--model` and `--sources`. */
export const defaultDeploymentId = 1;

/** The model that answers a query. */
export interface ModelTarget {
  readonly deploymentId: number;
  /** Branch of the model; `null` for production. */
  readonly branchName: string | null;
}

/** Returns the model that a data token allows to query. A token without a deployment is for the folder deployment. */
export function targetOf({ deploymentId, branchName }: Pick<DataClaims, 'deploymentId' | 'branchName'>): ModelTarget {
  return { deploymentId: deploymentId ?? defaultDeploymentId, branchName: branchName ?? null };
}

/** Returns the production model of a deployment. */
export function productionOf({ deploymentId }: Pick<ModelTarget, 'deploymentId'>): ModelTarget {
  return { deploymentId, branchName: null };
}

/** Returns the model that a caller of the Platform API queries on a deployment. */
export function targetOfCaller(principal: Principal, deploymentId: number): ModelTarget {
  return { deploymentId, branchName: (principal.kind === 'embed' ? principal.branchName : undefined) ?? null };
}

/**
 * Rejects callers with a session of a branch, for operations that always use the production model.
 * @throws PlatformError 400
 */
export function requireProduction(caller: { readonly branchName?: string | undefined }): void {
  if (caller.branchName === undefined) return;
  throw new PlatformError(400, 'This operation is not available in a session of a branch.');
}

const deploymentPath = /^\/deployments\/(\d{1,15})(?:\/dev-mode\/([^/]{1,1000}))?(?=\/)/;

/**
 * Returns the path that precedes the Data API of a deployment: none for the folder deployment, whose Data API has the
 * address of the platform.
 */
export function pathOfDeployment(deploymentId: number): string {
  return deploymentId === defaultDeploymentId ? '' : `/deployments/${deploymentId}`;
}

/** Returns the path that precedes the Data API of a staging environment. */
export function pathOfBranch(deploymentId: number, branchName: string): string {
  return `${pathOfDeployment(deploymentId)}/dev-mode/${encodeURIComponent(branchName)}`;
}

/** Returns the branch whose staging environment a path belongs to; `null` for other paths. */
export function branchOfPath(path: string): string | null {
  const encoded = deploymentPath.exec(path)?.[2];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    // No branch has this name.
    return '';
  }
}

/** Returns the deployment whose Data API a path belongs to. */
export function deploymentOfPath(path: string): number {
  return Number(deploymentPath.exec(path)?.[1] ?? defaultDeploymentId);
}

/** Returns a path without the part that names the deployment and the branch. */
export function withoutDeployment(path: string): string {
  return path.replace(deploymentPath, '');
}

/** Returns a string that identifies a model. */
export function targetKey({ deploymentId, branchName }: ModelTarget): string {
  return branchName === null ? `${deploymentId}` : `${deploymentId}:${branchName}`;
}
