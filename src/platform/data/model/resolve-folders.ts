import type { Folder, MemberDefinition } from './definition.js';
import type { Located, SourcePath } from './model-files.js';
import type { FolderSource, ViewSource } from './model-source.js';

/** Checks the folders of a view and resolves the members in them. */
export function resolveFolders(
  { source, report }: Located<ViewSource>,
  members: ReadonlyMap<string, MemberDefinition>,
): Folder[] {
  const ownMember = (name: string, path: SourcePath): string[] => {
    const member = members.get(name);
    if (member === undefined) report(path, `${name} is not a member of ${source.name}`);
    return member === undefined ? [] : [member.path];
  };
  const joined = (joinPath: string, path: SourcePath): string[] => {
    const found = [...members.values()].filter(member => member.joinPath === joinPath);
    if (found.length === 0) report(path, `${joinPath} is not a join_path of ${source.name}`);
    return found.map(member => member.path);
  };
  const folder = ({ name, includes }: FolderSource, path: SourcePath): Folder => {
    if (includes === '*') return { name, members: [...members.values()].map(member => member.path) };
    const items = includes.flatMap((item, index): readonly (string | Folder)[] => {
      const at = [...path, 'includes', index];
      if (typeof item === 'string') return ownMember(item, at);
      return 'join_path' in item ? joined(item.join_path, at) : [folder(item, at)];
    });
    return { name, members: [...new Set(items)] };
  };
  const names = new Set<string>();
  return (source.folders ?? []).map((one, index) => {
    if (names.has(one.name)) report(['folders', index], `${one.name} is the name of another folder`);
    names.add(one.name);
    return folder(one, ['folders', index]);
  });
}
