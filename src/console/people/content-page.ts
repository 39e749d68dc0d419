import { getEmbedAccess, getFolderEmbedAccess, updateEmbedAccess } from '../../client/operations/embed-tenants.js';
import { getWorkbook, getWorkbooks } from '../../client/operations/workbooks.js';
import type { Audiences } from '../../contract/embed-access.js';
import { firstDeployment } from './first-deployment.js';
import type { ListPage, PageTools, Row } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the workbooks, and the pages with the embed users who can see their dashboards. */
export function contentPage(tools: PageTools): ListPage {
  const { call, messages, time } = tools;
  return {
    id: 'content',
    title: messages.content,
    searchLabel: messages.search,
    columns: [messages.name, messages.owner, messages.tenant, messages.created],
    create: null,
    async load(request, signal) {
      const deploymentId = await firstDeployment(tools, signal);
      const { items, pageInfo } = await call(connection =>
        getWorkbooks(connection, { deploymentId }, request, { signal }),
      );
      const rows = items.map(({ id, name, user, embedTenantName, createdAt }) => ({
        id: String(id),
        name,
        cells: [name, user?.firstName || user?.email || '', embedTenantName ?? '', time(createdAt)],
        links: [{ label: messages.access, href: `#content/${id}` }],
        actions: [],
      }));
      return { items: rows, pageInfo };
    },
    detail: ([id]) => (/^\d+$/.test(id ?? '') ? accessPage(tools, Number(id)) : null),
  };
}

function accessPage(tools: PageTools, workbookId: number): ListPage {
  const { call, messages } = tools;
  const workbook = async (signal?: AbortSignal) => ({ deploymentId: await firstDeployment(tools, signal), workbookId });
  const change = async (body: Parameters<typeof updateEmbedAccess>[2]) => {
    const ref = await workbook();
    await call(connection => updateEmbedAccess(connection, ref, body));
  };
  const revocation = (name: string, body: Parameters<typeof updateEmbedAccess>[2]) => ({
    label: messages.remove,
    question: withName(messages.confirmUnshare, name),
    run: () => change({ ...body, action: 'none' }),
  });
  return {
    id: `content/${workbookId}`,
    title: messages.access,
    name: async () => {
      const ref = await workbook();
      return (await call(connection => getWorkbook(connection, ref))).name;
    },
    searchLabel: messages.search,
    columns: [messages.sharedWith, messages.folder, messages.status],
    create: {
      label: messages.shareDashboard,
      button: messages.share,
      // An explicit value, so that an empty field never shares with every tenant.
      fields: [{ name: 'tenant', label: messages.tenantOrAll }],
      async run({ tenant = '' }) {
        await change({ ...(tenant === '*' ? { allEmbedUsers: true } : { embedTenantName: tenant }), action: 'read' });
        return null;
      },
    },
    async load({ search = '' }, signal) {
      const ref = await workbook(signal);
      const [direct, { folderPath }] = await Promise.all([
        call(connection => getEmbedAccess(connection, ref, { signal })),
        call(connection => getWorkbook(connection, ref, { signal })),
      ]);
      const ofFolders = (folderPath ?? []).map(async ({ id, name }) => {
        const folder = { deploymentId: ref.deploymentId, folderId: id };
        return rowsOf(await call(connection => getFolderEmbedAccess(connection, folder, { signal })), name);
      });
      const rows = [rowsOf(direct, null), ...(await Promise.all(ofFolders))].flat();
      return { items: rows.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())), pageInfo: null };

      /** A share of a folder applies to all its workbooks, so it cannot be removed here. */
      function rowsOf({ allEmbedUsers, tenants }: Audiences, folder: string | null): Row[] {
        const row = (name: string, body: Parameters<typeof updateEmbedAccess>[2]) => ({
          id: `${folder ?? ''}/${name}`,
          name,
          cells: [name, folder ?? '', direct.allowEmbed ? messages.active : messages.embeddingOff],
          actions: folder === null ? [revocation(name, body)] : [],
        });
        const ofTenants = tenants.map(({ embedTenantName }) => row(embedTenantName, { embedTenantName }));
        return [...(allEmbedUsers.enabled ? [row(messages.allEmbedUsers, { allEmbedUsers: true })] : []), ...ofTenants];
      }
    },
  };
}
