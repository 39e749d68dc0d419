import { html, nothing, type TemplateResult } from 'lit';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { ShownDashboard } from '../export/export-target.js';
import { retryLoad } from '../retry-load.js';

/** Renders the subscriptions to a dashboard, and loads their element, if the session allows them. */
export function renderSubscribe(
  source: SessionSource | null,
  shown: () => ShownDashboard,
): TemplateResult | typeof nothing {
  if (source?.settings?.allowSubscriptions !== true) return nothing;
  // If the element cannot be loaded, the dashboard is shown without subscriptions.
  retryLoad(() => import('./pa-subscribe.js')).catch(() => {});
  return html`<pa-subscribe
    exportparts="subscribe-button, dialog, dialog-title, button, notice"
    .source=${source}
    .shown=${shown}
  ></pa-subscribe>`;
}
