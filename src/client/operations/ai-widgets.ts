import * as aiWidgets from '../../contract/ai-widgets.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Resolves the AI widgets of a published dashboard for the caller. */
export const listAiWidgets: Endpoint<typeof aiWidgets.listAiWidgets, 'publicId'> = /* @__PURE__ */ endpoint(
  aiWidgets.listAiWidgets,
  'publicId',
);
