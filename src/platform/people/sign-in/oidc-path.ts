/** Path at which a sign-in with the OpenID provider starts. */
export const oidcPath = '/sign-in/oidc';
