import type { EmbedSessionSettings } from '../../contract/embed.js';
import { PlatformError } from '../errors.js';
import type { AccountConfig } from '../store/accounts.js';

/**
 * Refuses where AI is switched off: by the session, else by the account (domain facts 1.4).
 * @throws PlatformError 403
 */
export function requireAi({ allowAi }: EmbedSessionSettings, { embedding }: AccountConfig): void {
  if ((allowAi ?? embedding.allowAi) === false) throw new PlatformError(403, 'AI is switched off for this session.');
}
