import type { Client, JsonSchemaValidatorResult } from '@modelcontextprotocol/client';
import { isObject } from '../../../charts/spec/spec.js';
import type { AgentToolServer } from '../../../contract/agents.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';
import { isPublicAddress } from '../../runtime/public-address.js';
import { truncate } from '../tools/tool-input.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { mayBePrivate, type ToolServerOptions, toolServerProblem } from './tool-server-options.js';

/** A tool as the service describes it. */
export interface RemoteTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Limits of the requests to one service. */
const limits = {
  connectMs: 10_000,
  callMs: 20_000,
  responseBytes: 1024 * 1024,
  pages: 5,
  description: 1000,
  parameters: 8000,
  text: 20_000,
} as const;

/** Accepts all results: schemas of a service are never compiled, because a hostile pattern could block the process. */
function acceptResult<T>(input: unknown): JsonSchemaValidatorResult<T> {
  // The client passes the result on as an unknown value.
  return { valid: true, data: input as T, errorMessage: undefined };
}

/** An open connection to a service. Errors are PlatformErrors without secrets. */
export interface ToolServerConnection {
  /** Returns the listed tools that the service has and declares as read-only. */
  list(): Promise<readonly RemoteTool[]>;
  /** Calls a tool. The result is untrusted text. */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<JsonObject>;
  close(): Promise<void>;
}

/**
 * Connects to a service with a token. The connection has no capabilities: the service cannot request a completion, a
 * file or input of the user.
 * @throws PlatformError with a message that contains no secrets, for the language model and the user.
 */
export async function connectToolServer(
  { name, url: text, tools }: AgentToolServer,
  { token, options }: { readonly token: string | null; readonly options: ToolServerOptions },
): Promise<ToolServerConnection> {
  // Checked again, because the list of hosts may have changed since the agent was stored.
  if (toolServerProblem(text, options) !== null) throw new PlatformError(400, `The host of ${name} is not allowed.`);
  const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const url = new URL(text);
  let lastStatus = 0;
  const interruption = new AbortController();
  const isAllowedAddress =
    options.testing?.isAllowedAddress ?? (mayBePrivate(url, options) ? () => true : isPublicAddress);
  const fetch = createGuardedFetch({
    origin: url.origin,
    isAllowedAddress,
    maxBytes: limits.responseBytes,
    onStatus(status) {
      lastStatus = status;
    },
    onInterruption: () => interruption.abort(),
  });
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    ...(token !== null && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  const client = new McpClient(
    { name: 'pa-embed', version: '1.0.0' },
    { jsonSchemaValidator: { getValidator: () => acceptResult }, listMaxPages: limits.pages },
  );
  const guard = async <T>(
    ms: number,
    request: (within: RequestWithin) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const timeout = AbortSignal.timeout(ms);
    try {
      return await request({
        signal: AbortSignal.any([timeout, interruption.signal, ...(signal ? [signal] : [])]),
        timeout: ms,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (timeout.aborted) throw new PlatformError(504, `${name} did not respond in time.`, { cause: error });
      const isRejected = lastStatus === 401 || lastStatus === 403;
      const reason = isRejected ? 'rejected the token of the user' : 'is unreachable or rejected the request';
      throw new PlatformError(502, `${name} ${reason}.`, { cause: error });
    }
  };
  await guard(limits.connectMs, within => client.connect(transport, within));
  return {
    list: () => guard(limits.connectMs, within => listTools(client, tools, within)),
    call: (tool, input, signal) =>
      guard(
        limits.callMs,
        async within =>
          readResult(await client.callTool({ name: tool, arguments: isObject(input) ? input : {} }, within)),
        signal,
      ),
    async close() {
      // A service that does not respond must not keep the process busy. The session ends there by itself.
      await guard(limits.connectMs, () => transport.terminateSession()).catch(() => undefined);
      // Nothing is sent: only the transport of this process is closed.
      await client.close().catch(() => undefined);
    },
  };
}

interface RequestWithin {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

async function listTools(client: Client, names: readonly string[], within: RequestWithin): Promise<RemoteTool[]> {
  const { tools } = await client.listTools(undefined, within);
  // Agents only read: a call can be repeated after a restart, and its input can be influenced by text in the data.
  return tools
    .filter(({ name, annotations }) => names.includes(name) && annotations?.readOnlyHint === true)
    .filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= limits.parameters)
    .map(({ name, description = '', inputSchema }) => ({
      name,
      description: truncate(cleanText(description), limits.description),
      parameters: { ...inputSchema },
    }));
}

/** Returns the text of a result without control characters. Images, files and links are omitted. */
function readResult({
  content,
  isError,
}: {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly isError?: boolean | undefined;
}): JsonObject {
  const texts = content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const omitted = content.length - texts.length;
  const whole = cleanText(texts.join('\n'));
  const text = truncate(whole, limits.text);
  if (isError === true) return { error: text || 'The tool failed.' };
  return {
    text,
    ...(text.length < whole.length && { truncated: true }),
    ...(omitted > 0 && { omittedParts: omitted }),
  };
}

/** Removes characters that hide text from readers or change its direction. */
function cleanText(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, '');
}
