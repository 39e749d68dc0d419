import { deleteEnvVariable, listEnvVariables, setEnvVariables } from '../../client/operations/environments.js';
import { firstDeployment } from './first-deployment.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the environment variables of the deployment. Setting a variable replaces its value. */
export function variablesPage(tools: PageTools): ListPage {
  const { call, messages } = tools;
  return {
    id: 'variables',
    title: messages.variables,
    searchLabel: messages.search,
    columns: [messages.name, messages.value],
    create: {
      label: messages.setVariable,
      button: messages.save,
      fields: [
        { name: 'name', label: messages.name },
        { name: 'value', label: messages.value, isOptional: true },
      ],
      async run({ name = '', value = '' }) {
        const id = await firstDeployment(tools);
        await call(connection => setEnvVariables(connection, id, { env_variables: [{ name, value }] }));
        return null;
      },
    },
    async load(request, signal) {
      const id = await firstDeployment(tools, signal);
      const { items, pageInfo } = await call(connection => listEnvVariables(connection, id, request, { signal }));
      const rows = items.map(({ name, value }) => ({
        id: name,
        name,
        cells: [name, value],
        actions: [
          {
            label: messages.delete,
            question: withName(messages.confirmDeleteVariable, name),
            run: () => call(connection => deleteEnvVariable(connection, { deploymentId: id, name })),
          },
        ],
      }));
      return { items: rows, pageInfo: pageInfo ?? null };
    },
  };
}
