import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { createTokens } from '../../../src/platform/auth/tokens.js';

/** Secrets of test platforms. */
export const testSecrets = secretsOf('a secret key of the tests');

/** Tokens that are signed with the secrets of tests. */
export const testTokens = createTokens(testSecrets);
