import type { EmbedSessionSettings } from '../../contract/embed.js';
import type { EmbedGrant } from '../../contract/embed-grant.js';
import type { SecurityContext } from '../data/semantic-model.js';
import type { Principal } from '../principal.js';

/** What an embed session stands for, settled when it is minted: what its token will say. */
export interface SessionClaims {
  readonly userId: number;
  readonly role: Principal['role'];
  readonly deploymentId: number;
  readonly embedTenantId: number;
  readonly embedTenantName: string;
  readonly creatorMode: boolean;
  readonly securityContext: SecurityContext;
  readonly settings: EmbedSessionSettings;
  readonly embedTheme: NonNullable<EmbedGrant['embedTheme']> | null;
}
