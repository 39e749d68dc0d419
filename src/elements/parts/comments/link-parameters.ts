/** Parameters of the page's URL in a link to a comment: its id, and the public id of the dashboard. */
export const linkParameters = { comment: 'pa-comment', dashboard: 'pa-dashboard' } as const;

/** Returns the comment and the dashboard that the page's URL links to; `null` if there is none. */
export function readCommentLink(): { readonly commentId: number; readonly publicId: string | null } | null {
  const parameters = new URLSearchParams(location.search);
  const commentId = Number(parameters.get(linkParameters.comment));
  if (!Number.isSafeInteger(commentId) || commentId <= 0) return null;
  return { commentId, publicId: parameters.get(linkParameters.dashboard) };
}
