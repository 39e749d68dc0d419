import type { TemplateResult } from 'lit';
import type { ChatStep } from '../../controllers/chat-controller.js';

/**
 * How a host draws the steps of tools, by the tool's name. What a function returns stands in the place of the step's own body; null
 * leaves the step as it is. It is called again whenever the step changes, and gets what the service sent: treat it as data.
 */
export type ToolRenderers = Readonly<Record<string, (step: ChatStep) => Node | TemplateResult | null>>;
