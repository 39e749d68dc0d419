/** Options of OAuth integrations. */
export interface OAuthOptions {
  /** Hosts of the services: `id.example.com`, `id.example.com:8443`, or `*.example.com`. None by default. */
  readonly hosts?: readonly string[];
  /** For tests: replaces the check of addresses, and allows HTTP. */
  readonly testing?: { readonly isAllowedAddress: (address: string) => boolean };
}

const hostPattern = /^(\*\.)?[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?$/;

/** Checks the options of OAuth integrations. @throws Error */
export function readOAuthOptions({
  hosts = [],
  ...others
}: OAuthOptions = {}): OAuthOptions & { readonly hosts: readonly string[] } {
  const read = hosts.map(host => host.trim().toLowerCase());
  const wrong = read.find(host => !hostPattern.test(host));
  if (wrong === undefined) return { ...others, hosts: read };
  throw new Error(`PA_OAUTH_HOSTS: ${wrong} must be a host name such as id.example.com or *.example.com.`);
}

/** Returns the reason why the platform may not call a URL of a service; `null` if it may. */
export function oauthUrlProblem(text: string, { hosts = [], testing }: OAuthOptions): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && !(testing && url?.protocol === 'http:')) return 'must be an HTTPS URL';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'must not contain a user or a fragment';
  if (hosts.length === 0) return 'cannot be used, because PA_OAUTH_HOSTS is not set';
  const isAllowed = hosts.some(host => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
  return isAllowed ? null : 'must have a host that is listed in PA_OAUTH_HOSTS';
}
