import * as z from 'zod/mini';
import { ChatSessionSettings } from '../../contract/chat.js';
import { checkEmbedGrant, EmbedGrant } from '../../contract/embed-grant.js';
import { PlatformError } from '../errors.js';
import { describeIssues } from '../mount.js';
import { refuseUnstorable } from './serve.js';

type Settings = z.output<typeof ChatSessionSettings>;

/** Session settings, and where in the request they stand. */
export interface GivenSettings {
  readonly settings: Settings;
  readonly where: string;
}

const settingsHeader = 'x-session-settings';
const maxHeader = 32 * 1024;

/**
 * The session settings of a request with a key: those of its body, else of the header `x-session-settings`, JSON in base64url by the
 * same schema, for requests whose body has no room for them (our extension).
 * @throws PlatformError 400 that names the field
 */
export function readGivenSettings(inBody: Settings | null, headers: Headers): GivenSettings {
  if (inBody) return { settings: inBody, where: 'body.sessionSettings' };
  const header = headers.get(settingsHeader);
  if (header === null) {
    const message = `is required with an API key: say whom it speaks for (or send ${settingsHeader}, JSON in base64url)`;
    throw new PlatformError(400, `body.sessionSettings: ${message}`);
  }
  const read = z.safeParse(ChatSessionSettings, readHeader(header));
  if (!read.success) throw new PlatformError(400, describeIssues(settingsHeader, read.error.issues));
  refuseUnstorable(read.data, settingsHeader);
  return { settings: read.data, where: settingsHeader };
}

function readHeader(header: string): unknown {
  if (header.length <= maxHeader && /^[\w-]+$/.test(header)) {
    try {
      return JSON.parse(Buffer.from(header, 'base64url').toString());
    } catch {
      // Told below, like everything else that is no JSON in base64url.
    }
  }
  throw new PlatformError(400, `${settingsHeader}: must be JSON in base64url, ${maxHeader / 1024} KB at most`);
}

/**
 * What the settings grant on a deployment, so that a user is the same whether a page or a host's back end chats for them.
 * @throws PlatformError 400 that names the field
 */
export function grantOf({ settings, where }: GivenSettings, deploymentId: number): EmbedGrant {
  const refuse = (field: string, message: string): never => {
    throw new PlatformError(400, `${where}.${field}: ${message}`);
  };
  const {
    externalId,
    ephemeralTtlSeconds,
    timezone: _,
    locale: __,
    allowChatWorkspaceAuthoring: ___,
    ...who
  } = settings;
  if (ephemeralTtlSeconds != null) refuse('ephemeralTtlSeconds', 'is not supported');
  if (settings.roles != null) refuse('roles', 'is not supported');
  if (externalId != null && externalId !== externalId.trim().toLowerCase()) {
    refuse('externalId', 'must be in lower case, without spaces around it');
  }
  const read = z.safeParse(EmbedGrant, { ...who, externalId, deploymentId });
  if (!read.success) throw new PlatformError(400, describeIssues(where, read.error.issues));
  const problem = checkEmbedGrant(read.data);
  if (problem) refuse(problem.field, problem.message);
  return read.data;
}
