import type { PaOpenDetail } from '../../../controllers/creator/creator-events.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { readCommentLink } from '../../parts/comments/link-parameters.js';

/** Opens the published dashboard if the page's URL links to one of its comments. */
export async function openLinkedDashboard(
  source: SessionSource | null,
  open: (detail: PaOpenDetail) => void,
): Promise<void> {
  const publicId = readCommentLink()?.publicId;
  if (!source || !publicId) return;
  try {
    const { workbookId, title } = await source.getDashboard(publicId, {});
    open({ workbookId, publicId, name: title ?? '', mode: 'view' });
  } catch {
    // If the user may not see the dashboard, the workspace shows its list.
  }
}
