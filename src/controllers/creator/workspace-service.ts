import { PaError, PaErrorCode } from '../../client/errors.js';
import type { PlatformConnection } from '../../client/http/connection.js';
import {
  createWorkbook,
  deleteWorkbook,
  duplicateWorkbook,
  updateWorkbook,
} from '../../client/operations/workbooks.js';
import {
  createFolder,
  deleteFolder,
  listFolders,
  listSharedWorkspace,
  listWorkspace,
  moveWorkspaceItem,
  setWorkspaceFavorite,
  updateFolder,
} from '../../client/operations/workspace.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Workbook } from '../../contract/workbooks.js';
import type { Creator } from './creator.js';

/** The user's own content, or what is shared with the tenant. */
export type WorkspaceScope = 'own' | 'shared';

/** Sort orders of a list. */
export type WorkspaceOrder = 'name' | 'updated' | 'viewed';

/** Selects the items of a list. */
export interface WorkspaceView {
  readonly scope: WorkspaceScope;
  /** `null` is the root. */
  readonly folderId: number | null;
  /** Part of a name to search for. If empty, the content of the folder is listed. */
  readonly search: string;
  readonly order: WorkspaceOrder;
  /** Whether to list only favorites, from all folders. */
  readonly favorites: boolean;
}

/** A folder or workbook. */
export interface WorkspaceItem {
  readonly type: 'FOLDER' | 'WORKBOOK';
  readonly id: number;
  readonly name: string;
  readonly folderId: number | null;
  /** Names of the folders that contain it, from the root. */
  readonly path: readonly string[];
  /** Time of the last change, in ISO 8601. */
  readonly updatedAt: string;
  /** Public id of the published dashboard; `null` if it was never published. */
  readonly publicId: string | null;
  /** Whether it is one of the user's favorites. */
  readonly isFavorite: boolean;
}

/** A folder in the dialog that moves items. */
export interface FolderChoice {
  readonly id: number;
  readonly name: string;
}

/** One page of a list. `next` is the cursor of the next page. */
export interface WorkspacePage {
  readonly items: readonly WorkspaceItem[];
  readonly next: string | null;
}

const pageSize = 50;
const types: ('FOLDER' | 'WORKBOOK')[] = ['FOLDER', 'WORKBOOK'];
const orderFields = { name: 'name', updated: 'updated_at', viewed: 'viewer_last_viewed_at' } as const;

/** Requests of the workspace, in the session of a creator. All reject with PaError. */
export class WorkspaceService {
  readonly #source: SessionSource;
  readonly #deploymentId: number;

  constructor(source: SessionSource, { deploymentId }: Creator) {
    this.#source = source;
    this.#deploymentId = deploymentId;
  }

  /** Returns one page of a list. */
  async list(
    { scope, folderId, search, order, favorites }: WorkspaceView,
    after: string | null,
    signal: AbortSignal,
  ): Promise<WorkspacePage> {
    const query = {
      types,
      first: pageSize,
      orderByField: orderFields[order],
      ...(folderId !== null && { folderId }),
      ...(search && { search }),
      ...(favorites && { favorites }),
      ...(after !== null && { after }),
    };
    const read = scope === 'own' ? listWorkspace : listSharedWorkspace;
    const { items, pageInfo } = await this.#call(connection => read(connection, this.#deploymentId, query, { signal }));
    return { items: items.flatMap(toItem), next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
  }

  /** Returns the user's own folders in a folder, or at the root (`null`). */
  async folders(parentId: number | null): Promise<readonly FolderChoice[]> {
    const { items } = await this.#call(connection =>
      listFolders(connection, this.#deploymentId, parentId === null ? {} : { parentId }),
    );
    return items.map(({ id, name }) => ({ id, name }));
  }

  /** Creates an empty workbook. */
  async createWorkbook(name: string, folderId: number | null): Promise<WorkspaceItem> {
    const ref = { deploymentId: this.#deploymentId };
    return one(await this.#call(connection => createWorkbook(connection, ref, { name, ...inFolder(folderId) })));
  }

  /** Creates a folder. */
  async createFolder(name: string, parentId: number | null): Promise<void> {
    await this.#call(connection =>
      createFolder(connection, this.#deploymentId, { name, ...(parentId !== null && { parentId }) }),
    );
  }

  /** Renames an item. */
  async rename({ type, id }: WorkspaceItem, name: string): Promise<void> {
    const deploymentId = this.#deploymentId;
    await this.#call(async connection => {
      if (type === 'FOLDER') await updateFolder(connection, { deploymentId, folderId: id }, { name });
      else await updateWorkbook(connection, { deploymentId, workbookId: id }, { name });
    });
  }

  /** Moves an item into a folder, or to the root (`null`). */
  async move({ type, id }: WorkspaceItem, folderId: number | null): Promise<void> {
    await this.#call(connection =>
      moveWorkspaceItem(connection, this.#deploymentId, { type, id, ...inFolder(folderId) }),
    );
  }

  /** Adds an item to the user's favorites, or removes it. */
  async setFavorite({ type, id }: WorkspaceItem, { isFavorite }: Pick<WorkspaceItem, 'isFavorite'>): Promise<void> {
    await this.#call(connection => setWorkspaceFavorite(connection, this.#deploymentId, { type, id, isFavorite }));
  }

  /** Copies a workbook. Copies the published version of one from the shared workspace. */
  async duplicate({ id }: WorkspaceItem, scope: WorkspaceScope): Promise<WorkspaceItem> {
    const ref = { deploymentId: this.#deploymentId, workbookId: id };
    const body = scope === 'shared' ? { shared: true } : {};
    return one(await this.#call(connection => duplicateWorkbook(connection, ref, body)));
  }

  /** Deletes an item. The content of a folder moves to the root. */
  async remove({ type, id }: WorkspaceItem): Promise<void> {
    const deploymentId = this.#deploymentId;
    await this.#call(connection =>
      type === 'FOLDER'
        ? deleteFolder(connection, { deploymentId, folderId: id })
        : deleteWorkbook(connection, { deploymentId, workbookId: id }),
    );
  }

  #call<T>(work: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    return this.#source.authorize(work);
  }
}

function inFolder(folderId: number | null): { readonly folderId?: number } {
  return folderId === null ? {} : { folderId };
}

function toItem(workbook: Workbook): WorkspaceItem[] {
  const { type, id, name, folderId, folderPath, updatedAt, publishedDashboard, isFavorite } = workbook;
  const known = types.find(each => each === type);
  if (!known) return [];
  const path = (folderPath ?? []).map(folder => folder.name);
  const publicId = publishedDashboard?.publicId ?? null;
  const item = { type: known, id, name, folderId: folderId ?? null, path, updatedAt, publicId };
  return [{ ...item, isFavorite: isFavorite ?? false }];
}

function one(workbook: Workbook): WorkspaceItem {
  const [item] = toItem({ ...workbook, type: 'WORKBOOK' });
  if (!item) throw new PaError(PaErrorCode.invalidResponse, 'The platform returned no workbook.');
  return item;
}
