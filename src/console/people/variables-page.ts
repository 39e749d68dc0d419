import { PaError, PaErrorCode } from '../../client/errors.js';
import { listDeployments } from '../../client/operations/deployments.js';
import { listEnvVariables, setEnvVariables } from '../../client/operations/environments.js';
import { type ListPage, type PageTools, withoutSearch } from './list-page.js';

/** Returns the page with the environment variables of the deployment. Setting a variable replaces its value. */
export function variablesPage({ call, messages }: PageTools): ListPage {
  return {
    id: 'variables',
    title: messages.variables,
    searchLabel: null,
    columns: [messages.name, messages.value],
    create: {
      label: messages.setVariable,
      button: messages.save,
      fields: [
        { name: 'name', label: messages.name },
        { name: 'value', label: messages.value, isOptional: true },
      ],
      async run({ name = '', value = '' }) {
        const id = await deploymentId();
        await call(connection => setEnvVariables(connection, id, { env_variables: [{ name, value }] }));
        return null;
      },
    },
    async load(request, signal) {
      const id = await deploymentId(signal);
      const { items, pageInfo } = await call(connection =>
        listEnvVariables(connection, id, withoutSearch(request), { signal }),
      );
      const rows = items.map(({ name, value }) => ({ id: name, name, cells: [name, value], actions: [] }));
      return { items: rows, pageInfo: pageInfo ?? null };
    },
  };

  async function deploymentId(signal?: AbortSignal): Promise<number> {
    const { items } = await call(connection => listDeployments(connection, {}, signal && { signal }));
    const [deployment] = items;
    if (!deployment) throw new PaError(PaErrorCode.notFound, messages.noItems);
    return deployment.id;
  }
}
