import * as z from 'zod/mini';
import { type DashboardControlsResult, ToolName } from '../../../contract/chat.js';
import { proposeControls } from '../../../report/controls/propose-controls.js';
import { PlatformError } from '../../errors.js';
import type { AgentDashboard, AgentTool } from '../agent.js';
import { readInput } from './tool-input.js';

/** Maximum number of controls that one call sets. */
const maxValues = 20;

const Input = z.strictObject({
  values: z
    .array(z.strictObject({ control: z.string(), value: z.unknown() }))
    .check(z.minLength(1), z.maxLength(maxValues)),
});

/**
 * Creates the tool that sets controls of the dashboard that a message is about. The tool only validates the values. The
 * viewer's page sets them, and shows them with a button that restores the previous values.
 */
export function createSetDashboardControls({ publicId, controls }: AgentDashboard): AgentTool {
  return {
    name: ToolName.setDashboardControls,
    description:
      'Sets controls of the dashboard that the user is viewing. The change is shown to the user with its values and a button to undo it: do not repeat them. Controls that are not named do not change.',
    parameters: {
      type: 'object',
      properties: {
        values: {
          type: 'array',
          maxItems: maxValues,
          items: {
            type: 'object',
            properties: {
              control: { type: 'string', description: 'Id of the control.' },
              value: {
                description:
                  'For a filter {"operator", "value"}, such as {"operator": "equals", "value": ["a", "b"]} or {"operator": "between", "value": ["2024-01-01", "2024-01-31"]}; otherwise the id of one of its values. null clears the control.',
              },
            },
            required: ['control', 'value'],
          },
        },
      },
      required: ['values'],
      additionalProperties: false,
    },
    async run(input) {
      const { values } = readInput(Input, input);
      const proposed = proposeControls(controls, values);
      if ('problem' in proposed) throw new PlatformError(400, proposed.problem);
      const result: DashboardControlsResult = { dashboardPublicId: publicId, ...proposed };
      return { ...result };
    },
  };
}
