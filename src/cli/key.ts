import type { PlatformConnection } from '../client/http/connection.js';
import { createApiKey, listApiKeys, revokeApiKey } from '../client/operations/account.js';
import { eachItem } from '../client/operations/pagination.js';
import type { ApiKey } from '../contract/api-keys.js';
import { type CommandContext, ExitCode } from './command.js';
import type { KeyOptions } from './key-options.js';
import { readKey } from './target-options.js';

/** Creates, lists or revokes API keys of a running platform. */
export async function key(options: KeyOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, signal, print, note } = context;
  const token = await readKey(options.target, environment);
  const connection = { baseUrl: options.target.url, token };
  switch (options.task) {
    case 'add': {
      const { name, who, role } = options;
      const created = await createApiKey(connection, { name, ...who, role }, { signal });
      note(
        `Created key ${created.name} (${created.id}) for user ${created.user.username}. Store it now; it is not shown again:`,
      );
      print(created.key);
      return ExitCode.done;
    }
    case 'list': {
      const keys = await allKeys(connection, signal);
      if (options.json) print(JSON.stringify(keys));
      else for (const each of keys) print(lineOf(each));
      return ExitCode.done;
    }
    case 'revoke': {
      const keys = await allKeys(connection, signal);
      // A name may look like an id: names take precedence.
      const found = keys.find(({ name }) => name === options.key) ?? keys.find(({ id }) => String(id) === options.key);
      if (!found) throw new Error(`No API key with the name or id ${options.key}. See pa-platform key list.`);
      await revokeApiKey(connection, found.id, { signal });
      note(`Revoked key ${found.name} (${found.id}).`);
      return ExitCode.done;
    }
  }
}

async function allKeys(connection: PlatformConnection, signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const each of eachItem(page => listApiKeys(connection, page, { signal }), { signal })) keys.push(each);
  return keys;
}

function lineOf({ id, name, user, role, createdAt }: ApiKey): string {
  return [id, name, user.username, role ?? 'all rights of the user', createdAt].join('\t');
}
