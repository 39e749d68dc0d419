import type { PlatformConnection } from '../client/http/connection.js';
import { createApiKey, listApiKeys, revokeApiKey } from '../client/operations/account.js';
import { eachItem } from '../client/operations/pagination.js';
import { createScimKey, listScimKeys, revokeScimKey } from '../client/operations/scim.js';
import type { ApiKey } from '../contract/api-keys.js';
import type { ScimKey } from '../contract/scim-keys.js';
import { type CommandContext, ExitCode } from './command.js';
import type { KeyOptions } from './key-options.js';
import { readKey } from './target-options.js';

/** Runs `pa-platform key`: creates, lists or revokes API keys of a running platform. */
export async function key(options: KeyOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, signal, print, note } = context;
  const token = await readKey(options.target, environment);
  const connection = { baseUrl: options.target.url, token };
  switch (options.task) {
    case 'add': {
      const { name, who, role, expiresAt } = options;
      const created = await createApiKey(connection, { name, ...who, role, expiresAt }, { signal });
      const expiry = created.expiresAt == null ? '' : `, which expires ${created.expiresAt}`;
      note(
        `Created key ${created.name} (${created.id}) for user ${created.user.username}${expiry}. Store it now; it is not shown again:`,
      );
      print(created.key);
      return ExitCode.done;
    }
    case 'add-scim': {
      const created = await createScimKey(connection, { name: options.name }, { signal });
      note(`Created SCIM key ${created.name} (${created.id}). Store it now; it is not shown again:`);
      print(created.key);
      return ExitCode.done;
    }
    case 'list': {
      const keys = await allKeys(connection, options, signal);
      if (options.json) print(JSON.stringify(keys));
      else for (const each of keys) print(lineOf(each));
      return ExitCode.done;
    }
    case 'revoke': {
      const keys = await allKeys(connection, options, signal);
      const kind = options.scim ? 'SCIM key' : 'API key';
      // A name can have the form of an id. Names take precedence.
      const found = keys.find(({ name }) => name === options.key) ?? keys.find(({ id }) => String(id) === options.key);
      if (!found) throw new Error(`There is no ${kind} with the name or id ${options.key}. See pa-platform key list.`);
      await (options.scim ? revokeScimKey : revokeApiKey)(connection, found.id, { signal });
      note(`Revoked key ${found.name} (${found.id}).`);
      return ExitCode.done;
    }
  }
}

async function allKeys(
  connection: PlatformConnection,
  { scim }: { readonly scim: boolean },
  signal: AbortSignal,
): Promise<(ApiKey | ScimKey)[]> {
  const keys: (ApiKey | ScimKey)[] = [];
  const pages = scim
    ? eachItem(page => listScimKeys(connection, page, { signal }), { signal })
    : eachItem(page => listApiKeys(connection, page, { signal }), { signal });
  for await (const each of pages) keys.push(each);
  return keys;
}

function lineOf(key: ApiKey | ScimKey): string {
  const { id, name, createdAt, lastUsedAt } = key;
  const own = isApiKey(key) ? [key.user.username, key.role ?? 'all rights of the user'] : [];
  const used = lastUsedAt ? `last used ${lastUsedAt}` : 'not used yet';
  const expiry = isApiKey(key) && key.expiresAt != null ? [`expires ${key.expiresAt}`] : [];
  return [id, name, ...own, createdAt, used, ...expiry].join('\t');
}

function isApiKey(key: ApiKey | ScimKey): key is ApiKey {
  return 'user' in key;
}
