import { type Lexicon, MemberKind } from '../vocabulary/lexicon.js';
import type { Reading } from './reading.js';
import type { Understanding } from './understanding.js';

/** Returns the join group for a question that mentions no members. */
export function defaultJoinGroup({ base, lexicon, aim }: Understanding): string | null {
  return joinGroupOfReading(base) ?? onlyJoinGroup(lexicon) ?? (aim === 'overview' ? mainJoinGroup(lexicon) : null);
}

function joinGroupOfReading(base: Reading | null): string | null {
  return base?.measures[0]?.joinGroup ?? base?.dimensions[0]?.joinGroup ?? null;
}

function onlyJoinGroup({ members, cubes }: Lexicon): string | null {
  const joinGroups = [...new Set([...members.values()].map(({ joinGroup }) => joinGroup))];
  const views = joinGroups.filter(joinGroup => cubes.some(({ name, type }) => name === joinGroup && type === 'view'));
  const [only, ...others] = views.length > 0 ? views : joinGroups;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Returns the first join group with a measure and a date, for overviews of models with several groups. */
function mainJoinGroup({ members, cubes }: Lexicon): string | null {
  const all = [...members.values()];
  const views = all.filter(({ joinGroup }) => cubes.some(({ name, type }) => name === joinGroup && type === 'view'));
  const isDated = (joinGroup: string) => all.some(member => member.joinGroup === joinGroup && member.type === 'time');
  const measures = (views.length > 0 ? views : all).filter(({ kind }) => kind === MemberKind.measure);
  return measures.find(({ joinGroup }) => isDated(joinGroup))?.joinGroup ?? null;
}
