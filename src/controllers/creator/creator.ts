import type { SessionSource } from '../session/session-context.js';

/** A session in creator mode, in which the user builds content. */
export interface Creator {
  readonly deploymentId: number;
  /** Tenant with whose users the content can be shared. */
  readonly embedTenantName: string;
}

/**
 * Returns the creator mode in the session's token; `null` before the session is ready, and for sessions without creator
 * mode. The page uses the result to choose what it shows. The platform checks every request itself.
 */
export function creatorOf(source: SessionSource | null): Creator | null {
  if (!source?.identity) return null;
  const claims = readClaims(source.identity);
  const { creatorMode, deploymentId, embedTenantName } = claims;
  if (creatorMode !== true || typeof deploymentId !== 'number' || typeof embedTenantName !== 'string') return null;
  return { deploymentId, embedTenantName };
}

function readClaims(identity: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(identity);
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    // The identity is not that of an embed token, so the session does not have creator mode.
    return {};
  }
}
