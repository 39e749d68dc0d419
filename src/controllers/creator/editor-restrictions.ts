import type { MemberSource } from '../../report/explore/members.js';
import type { DashboardTemplate } from '../../report/explore/templates.js';
import type { Visualization } from '../../report/explore/visualization-options.js';

/** Tools of the editor that a page can hide. */
export type EditorTool =
  | 'text'
  | 'controls'
  | 'versions'
  | 'settings'
  | 'containers'
  | 'templates'
  | 'compare'
  | 'specification';

/**
 * Limits what the editor offers. This affects only the interface. The model and its access policies decide what a
 * session may see.
 */
export interface EditorRestrictions {
  /** Kinds of results that are offered; all by default. A result that fits none of them is shown as a table. */
  readonly looks?: readonly Visualization[];
  /** Views (`orders`) and members (`orders.count`) that are offered; by default, all that the session can see. */
  readonly members?: readonly string[];
  /** Tools that are hidden. `templates` are the overviews that the editor offers for an empty dashboard. */
  readonly hiddenTools?: readonly EditorTool[];
  /** Templates of the page, which an empty dashboard offers first. */
  readonly templates?: readonly DashboardTemplate[];
}

/** Returns the members that a page offers. */
export function offeredMembers(
  sources: readonly MemberSource[],
  { members: offered }: EditorRestrictions,
): readonly MemberSource[] {
  if (!offered) return sources;
  const names = new Set(offered);
  return sources.flatMap(source => {
    const members = names.has(source.name) ? source.members : source.members.filter(({ name }) => names.has(name));
    return members.length > 0 ? [{ ...source, members }] : [];
  });
}
