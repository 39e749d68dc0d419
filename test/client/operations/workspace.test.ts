import { expect, test } from 'vitest';
import * as workspace from '../../../src/client/operations/workspace.js';
import { type Connection, serviceReturning } from '../data/one-answer.js';

const folder = {
  id: 7,
  deploymentId: 1,
  name: 'Sales',
  position: 0,
  type: 'FOLDER',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const item = { ...folder, calculatedFields: {}, meta: {}, folderId: null };
const page = { items: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } };
const at = { deploymentId: 1, folderId: 7 };
const book = { type: 'WORKBOOK', id: 3 } as const;

test.each<[string, unknown, (connection: Connection) => Promise<unknown>]>([
  ['GET /folders?parentId=7&first=10', page, to => workspace.listFolders(to, 1, { parentId: 7, first: 10 })],
  [
    'POST /folders {"name":"Sales","parentId":7}',
    folder,
    to => workspace.createFolder(to, 1, { name: 'Sales', parentId: 7 }),
  ],
  ['PUT /folders/7 {"position":2}', folder, to => workspace.updateFolder(to, at, { position: 2 })],
  ['DELETE /folders/7', undefined, to => workspace.deleteFolder(to, at)],
  ['GET /folders/7/ancestors', [folder], to => workspace.getFolderAncestors(to, at)],
  [
    'GET /workspace?types=FOLDER&types=WORKBOOK&search=a+b',
    page,
    to => workspace.listWorkspace(to, 1, { types: ['FOLDER', 'WORKBOOK'], search: 'a b' }),
  ],
  [
    'GET /shared-workspace?orderByField=name',
    page,
    to => workspace.listSharedWorkspace(to, 1, { orderByField: 'name' }),
  ],
  [
    'POST /workspace/move {"type":"WORKBOOK","id":3,"folderId":7}',
    item,
    to => workspace.moveWorkspaceItem(to, 1, { ...book, folderId: 7 }),
  ],
  [
    'POST /workspace/bulk-move {"items":[{"type":"WORKBOOK","id":3}],"folderId":null}',
    { moved: [item], failed: [] },
    to => workspace.moveWorkspaceItems(to, 1, { items: [book], folderId: null }),
  ],
  [
    'POST /workspace/bulk-delete {"items":[{"type":"WORKBOOK","id":3}]}',
    { deleted: [book], failed: [{ ...book, error: { status: 404, message: 'Workbook not found' } }] },
    to => workspace.deleteWorkspaceItems(to, 1, { items: [book] }),
  ],
])('sends %s and returns the response', async (request, answer, ask) => {
  const { connection, seen } = serviceReturning(answer);
  expect(await ask(connection)).toEqual(answer);
  expect(seen).toEqual([request]);
});
