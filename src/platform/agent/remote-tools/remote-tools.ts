import { LRUCache } from 'lru-cache';
import type { AgentToolServer } from '../../../contract/agents.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';
import type { AgentTool } from '../agent.js';
import { connectToolServer, type RemoteTool, type ToolServerConnection } from './tool-server.js';
import type { ToolServerOptions } from './tool-server-options.js';

/** The user for whom the tools are called. */
export interface RemoteToolCaller {
  /** Type of the credential of the message, for the audit log. */
  readonly principal: 'api-key' | 'person' | 'embed' | 'data-token';
  readonly userId: number;
  readonly embedTenantId: number | null;
  readonly deploymentId: number;
  readonly agentId: number;
  readonly toolServers: readonly AgentToolServer[];
}

/** Dependencies of the tools of other services. */
export interface RemoteToolDeps {
  readonly options: ToolServerOptions;
  /**
   * Returns the token of a caller for a service; `null` if the service requires none.
   * @throws PlatformError if there is no token, with the way to get one.
   */
  readonly tokenOf: (server: AgentToolServer, caller: RemoteToolCaller) => Promise<string | null>;
  /** Records a call before it is sent. */
  readonly record: (caller: RemoteToolCaller, target: JsonObject) => Promise<void>;
  /** Called with failures that the service did not cause. */
  readonly onFailure: (error: unknown) => void;
}

/** Opens the tools of one caller by name. They are closed with the signal. */
export type OpenRemoteTools = (
  caller: RemoteToolCaller,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, AgentTool>>;

const maxListings = 200;
const listingMs = 5 * 60_000;
/** How long a failed listing is cached, so that a service that does not respond does not delay every message. */
const failureMs = 30_000;

/** The tools that a service lists, or the reason why it lists none. */
type Listing = readonly RemoteTool[] | PlatformError;

/**
 * Creates the function that opens the tools of other services (MCP) for an agent. Tools are listed once in 5 minutes
 * for each user and service; a connection is opened with the first call. A tool that is not available stays in the list
 * and returns the reason, which the model passes on to the user.
 */
export function createRemoteTools(deps: RemoteToolDeps): OpenRemoteTools {
  const listings = new LRUCache<string, Promise<Listing>>({ max: maxListings, ttl: listingMs });

  async function connect(server: AgentToolServer, caller: RemoteToolCaller): Promise<ToolServerConnection> {
    return connectToolServer(server, { token: await deps.tokenOf(server, caller), options: deps.options });
  }

  async function list(server: AgentToolServer, caller: RemoteToolCaller): Promise<Listing> {
    try {
      const connection = await connect(server, caller);
      try {
        return await connection.list();
      } finally {
        void connection.close();
      }
    } catch (error) {
      if (error instanceof PlatformError) return error;
      deps.onFailure(error);
      return new PlatformError(502, `The tools of ${server.name} are not available.`);
    }
  }

  /** Returns the cached listing of a service. A missing token is not cached, because the user may get one. */
  async function listingOf(server: AgentToolServer, caller: RemoteToolCaller): Promise<Listing> {
    // A service that identifies users can describe its tools differently for each, and not all may use it.
    const isOpen = server.oauthIntegrationId == null && server.oidcTokenConfigId == null;
    const key = JSON.stringify([server, isOpen ? null : caller.userId]);
    const known = listings.get(key);
    if (known) return known;
    const listing = list(server, caller);
    listings.set(key, listing);
    const result = await listing;
    if (result instanceof PlatformError && result.status < 500) listings.delete(key);
    else if (result instanceof PlatformError) listings.set(key, listing, { ttl: failureMs });
    return result;
  }

  return async (caller, signal) => {
    const opened = await Promise.all(
      caller.toolServers.map(async server => {
        const listing = await listingOf(server, caller);
        const connection = connectOnce(() => connect(server, caller), signal);
        return server.tools.map(name => toolOf(server, name, { listing, caller, connection, deps }));
      }),
    );
    return new Map(opened.flat().map(tool => [tool.name, tool]));
  };
}

/** Returns a function that connects with its first call. The connection is closed with the signal. */
function connectOnce(
  connect: () => Promise<ToolServerConnection>,
  signal: AbortSignal,
): () => Promise<ToolServerConnection> {
  let connection: Promise<ToolServerConnection> | null = null;
  return () => {
    if (connection) return connection;
    const opening = connect();
    connection = opening;
    // A failed connection does not need to be closed. The call reports the failure.
    const close = () => void opening.then(opened => opened.close()).catch(() => undefined);
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return opening;
  };
}

interface ToolOptions {
  readonly listing: Listing;
  readonly caller: RemoteToolCaller;
  readonly connection: () => Promise<ToolServerConnection>;
  readonly deps: RemoteToolDeps;
}

/** Creates a tool. Without a description of the service, it returns the reason. */
function toolOf({ name: server }: AgentToolServer, name: string, options: ToolOptions): AgentTool {
  const { listing, caller, connection, deps } = options;
  const found = listing instanceof PlatformError ? null : listing.find(tool => tool.name === name);
  const missing = new PlatformError(404, `${server} has no read-only tool ${name}.`);
  const problem = listing instanceof PlatformError ? listing : missing;
  return {
    name: `${server}_${name}`,
    service: server,
    description: found ? `Tool of the service ${server}. ${found.description}` : `Not available. ${problem.message}`,
    parameters: found?.parameters ?? { type: 'object', properties: {} },
    async run(input, { signal }) {
      if (!found) throw problem;
      await deps.record(caller, { agentId: caller.agentId, server, tool: name });
      return (await connection()).call(name, input, signal);
    },
  };
}
