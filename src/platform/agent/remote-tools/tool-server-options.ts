/** Options of the services whose tools agents can use. */
export interface ToolServerOptions {
  /** Hosts of the services: `tools.example.com`, `tools.example.com:8443`, or `*.example.com`. None by default. */
  readonly hosts?: readonly string[];
  /** Hosts of `hosts` that may have private addresses; none by default. */
  readonly privateHosts?: readonly string[];
  /** For tests: replaces the check of addresses, and allows HTTP. */
  readonly testing?: { readonly isAllowedAddress: (address: string) => boolean };
}

const hostPattern = /^(\*\.)?[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?$/;

/** Checks the options of the services whose tools agents can use. @throws Error */
export function readToolServerOptions(options: ToolServerOptions = {}): ToolServerOptions {
  const { hosts = [], privateHosts = [], ...others } = options;
  return {
    ...others,
    hosts: readHosts('PA_AGENT_TOOL_HOSTS', hosts),
    privateHosts: readHosts('PA_AGENT_TOOL_PRIVATE_HOSTS', privateHosts),
  };
}

function readHosts(variable: string, hosts: readonly string[]): readonly string[] {
  const read = hosts.map(host => host.trim().toLowerCase());
  const wrong = read.find(host => !hostPattern.test(host));
  if (wrong === undefined) return read;
  throw new Error(`${variable}: ${wrong} must be a host name such as tools.example.com or *.example.com.`);
}

/** Returns the reason why the platform may not call a URL of a service; `null` if it may. */
export function toolServerProblem(text: string, { hosts = [], testing }: ToolServerOptions): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && !(testing && url?.protocol === 'http:')) return 'must be an HTTPS URL';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'must not contain a user or a fragment';
  if (hosts.length === 0) return 'cannot be used, because PA_AGENT_TOOL_HOSTS is not set';
  return isListed(url, hosts) ? null : 'must have a host that is listed in PA_AGENT_TOOL_HOSTS';
}

/** Whether the host of a URL may have a private address. */
export function mayBePrivate(url: URL, { privateHosts = [] }: ToolServerOptions): boolean {
  return isListed(url, privateHosts);
}

function isListed({ host }: URL, hosts: readonly string[]): boolean {
  return hosts.some(each => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each));
}
