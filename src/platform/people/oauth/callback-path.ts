/** Path to which services send the browser back after an authorization. */
export const callbackPath = '/api/v1/user-oauth-tokens/callback';
