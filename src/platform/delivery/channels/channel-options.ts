/** Channels to which notifications may be posted, in addition to mail. */
export interface ChannelOptions {
  /** Hosts to which webhooks may be sent: `hooks.example.com`, `hooks.example.com:8443`, or `*.example.com`. */
  readonly webhookHosts?: readonly string[];
  /**
   * Secret that signs webhooks: `whsec_` and Base64 of at least 24 bytes. Required with `webhookHosts`. With two
   * secrets, separated by a comma, each webhook is signed twice, so that receivers can switch to the new secret.
   */
  readonly webhookSecret?: string;
  /** Slack bot token with the scopes `chat:write` and `files:write`. */
  readonly slackToken?: string;
  /** For tests: replaces the Slack API, the address check of webhooks and the certificates that they trust. */
  readonly testing?: {
    readonly slackUrl?: string;
    readonly isAllowedAddress?: (address: string) => boolean;
    readonly certificateAuthority?: string;
  };
}

/** Validated channel options. */
export interface ChannelSettings extends ChannelOptions {
  readonly webhook: { readonly hosts: readonly string[]; readonly secrets: readonly Uint8Array[] } | null;
}

const hostPattern = /^(\*\.)?[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?$/;
const minSecretBytes = 24;
const maxSecrets = 2;

/** Validates channel options. @throws Error with a one-sentence reason that contains no secrets. */
export function readChannelOptions(options: ChannelOptions): ChannelSettings {
  const { webhookHosts = [], webhookSecret, slackToken } = options;
  if (slackToken !== undefined && !/^xox[a-z]-[\w-]+$/.test(slackToken)) {
    throw new Error('PA_SLACK_TOKEN must be a Slack token, such as xoxb-…');
  }
  const hosts = webhookHosts.map(host => host.trim().toLowerCase());
  const wrong = hosts.find(host => !hostPattern.test(host));
  if (wrong !== undefined) {
    throw new Error(`PA_WEBHOOK_HOSTS: ${wrong} must be a host name such as hooks.example.com or *.example.com.`);
  }
  if (hosts.length === 0) return { ...options, webhook: null };
  return { ...options, webhook: { hosts, secrets: readSecrets(webhookSecret) } };
}

function readSecrets(text = ''): readonly Uint8Array[] {
  const secrets = text.split(',').map(each => {
    const [, base64 = ''] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(each.trim()) ?? [];
    return Buffer.from(base64, 'base64');
  });
  if (secrets.length <= maxSecrets && secrets.every(({ byteLength }) => byteLength >= minSecretBytes)) return secrets;
  throw new Error(
    `PA_WEBHOOK_HOSTS requires PA_WEBHOOK_SECRET. Set it to whsec_ followed by at least ${minSecretBytes} random bytes in Base64. Separate two secrets with a comma.`,
  );
}

/** Returns the reason why a webhook may not be sent to a URL; `null` if it may. */
export function webhookProblem(text: string, hosts: readonly string[]): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') return 'must be an HTTPS URL';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'must not contain a user or a fragment';
  const isAllowed = hosts.some(host => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
  return isAllowed ? null : 'must have a host that is listed in PA_WEBHOOK_HOSTS';
}
