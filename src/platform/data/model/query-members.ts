import { PlatformError } from '../../errors.js';
import type { Access } from './access.js';
import { hasGranularity } from './annotate.js';
import { type DimensionDefinition, type MemberDefinition, MemberKind } from './definition.js';

/** Finds the members that a query names among those that its caller may see, and remembers them. */
export class QueryMembers {
  readonly #access: Access;
  readonly #named = new Set<MemberDefinition>();

  constructor(access: Access) {
    this.#access = access;
  }

  /** Every member that was found, wherever the query names it. */
  get named(): ReadonlySet<MemberDefinition> {
    return this.#named;
  }

  /** @throws PlatformError 400 when the caller sees no such member. */
  one(path: string): MemberDefinition {
    const member = this.#access.members.get(path);
    if (member === undefined) throw new PlatformError(400, `${path} is not a member of the model`);
    this.#named.add(member);
    return member;
  }

  /** Members of one kind, each once. Throws as `one` does, and for those of another kind. */
  all<K extends MemberKind>(paths: readonly string[] = [], kind: K): Extract<MemberDefinition, { kind: K }>[] {
    return [...new Set(paths)].map(path => {
      const member = this.one(path);
      if (!isKind(member, kind)) throw new PlatformError(400, `${path} is not a ${kind}`);
      return member;
    });
  }

  /** A time dimension, by a granularity that it has. Throws as `one` does. */
  time(path: string, granularity?: string): DimensionDefinition {
    const member = this.one(path);
    if (!isKind(member, MemberKind.dimension) || member.type !== 'time')
      throw new PlatformError(400, `${path} is not a time dimension`);
    if (granularity !== undefined && !hasGranularity(member, granularity)) {
      throw new PlatformError(400, `${path} has no granularity ${granularity}`);
    }
    return member;
  }
}

function isKind<K extends MemberKind>(
  member: MemberDefinition,
  kind: K,
): member is Extract<MemberDefinition, { kind: K }> {
  return member.kind === kind;
}
