import type { Look } from '../../report/explore/looks.js';
import type { MemberSource } from '../../report/explore/members.js';

/** Tools of the editor that a page can hide. */
export type EditorTool = 'text' | 'controls' | 'versions';

/**
 * What a page does not offer in the editor. This shapes the page only: the platform enforces what a session may see by
 * its model and access policies.
 */
export interface EditorRestrictions {
  /** How results can be shown; by default, in all ways. If a result fits none of them, it is a table. */
  readonly looks?: readonly Look[];
  /** Views (`orders`) and members (`orders.count`) that can be used; by default, all that the session sees. */
  readonly members?: readonly string[];
  /** Tools that are hidden. */
  readonly hiddenTools?: readonly EditorTool[];
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
