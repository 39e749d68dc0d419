import { stringify } from 'yaml';
import type { Query } from '../contract/query.js';
import type { JsonObject } from '../contract/wire.js';
import type { Audience } from './audience.js';

/** A query to copy as code. */
export interface CodeInput {
  /** Name of the report. */
  readonly title: string;
  readonly query: Query;
  /** Vega-Lite specification; `null` for a table. */
  readonly chart: JsonObject | null;
  readonly audience: Audience;
  readonly deploymentId: number;
  /** Base URL of the platform. */
  readonly baseUrl: string;
  readonly dataApiPath: string;
}

const kindOf = ({ chart }: CodeInput): JsonObject => (chart ? { kind: 'vega', spec: chart } : { kind: 'table' });

/** Returns the report as a file `reports/<publicId>.yml` of dashboards as code. */
export function toYaml(input: CodeInput): string {
  return stringify({ name: input.title, query: input.query, meta: kindOf(input) }, { lineWidth: 0 });
}

/** Returns a program for a server that runs the query. It reads the API key from the environment. */
export function toFetch({ audience, baseUrl, dataApiPath, deploymentId, query }: CodeInput): string {
  const { securityContext, groups, userAttributes } = audience;
  const grant = {
    deploymentId,
    externalId: 'user-17',
    ...(Object.keys(securityContext).length > 0 && { securityContext }),
    ...(groups.length > 0 && { groups }),
    ...(userAttributes.length > 0 && { userAttributes }),
  };
  const isKey = Object.keys(grant).length === 2;
  const credential = isKey ? 'key' : `'Bearer ' + token`;
  const session = `const { sessionId } = await post('/api/v1/embed/generate-session', key, ${toCode(grant)});
const { token } = await post('/api/v1/embed/session/token', null, { sessionId });
`;
  return `// For your back end: the API key must not reach a browser.
const platform = ${quote(baseUrl)};
const key = \`Bearer \${process.env.PA_ADMIN_KEY}\`;

async function post(path, authorization, body) {
  const response = await fetch(platform + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(\`\${path} returned \${response.status}: \${await response.text()}\`);
  return response.json();
}

${isKey ? '' : session}const { platformApiToken } = await post('/api/v1/deployments/${deploymentId}/token', ${credential}, {});

const query = ${toCode(query)};
let result;
do {
  result = await post('${dataApiPath}/v1/load', platformApiToken, { query });
} while (result.error === 'Continue wait');
console.log(result.data);
`;
}

/** Returns the HTML of a page that shows the report with the session of its host. */
export function toElement(input: CodeInput): string {
  const snapshot = { title: input.title, ...kindOf(input), meta: { jsonQuery: input.query } };
  return `<script type="module" src="/pa-embed/pa-embed.js"></script>
<script type="module" src="/report.js"></script>

<pa-session session-url="/api/embed-session" base-url="${input.baseUrl}">
  <pa-report id="report"></pa-report>
</pa-session>

<!-- report.js
document.querySelector('#report').snapshot = ${toCode(snapshot).replaceAll(/--(!?)>/g, '--$1\\x3e')};
-->
`;
}

/** Characters that end a line, or are invisible, such as bidirectional controls, which change the order of the code. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const toEscape = (character: string): string =>
  character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`;

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll(hidden, toEscape)}'`;

/** Formats a JSON value as JavaScript: keys without quotes where possible, short lists and records on one line. */
function toCode(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(item => toCode(item, inner))
    : Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toCode(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const short = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (short.length + indent.length <= maxLineLength && !short.includes('\n')) return short;
  return `${open}\n${parts.map(part => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const maxLineLength = 72;

function toKey(key: string): string {
  // Without brackets, this key would set the prototype.
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}
