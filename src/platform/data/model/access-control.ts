import type { SecurityContext } from '../../auth/principal.js';
import type { EntityDefinition, MemberDefinition, ModelDefinition } from './definition.js';
import { type Decision, decide, type RowFilter, rowsOf } from './policy.js';

/** What one caller may see and read of a model. */
export interface Access {
  /** Members that the caller may name, by path. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  /** Cubes and views of which the caller may name something. */
  readonly entities: ReadonlyMap<string, EntityDefinition>;
  /** What a query of these members may read, by cube or view; what is missing there may not be read at all. */
  rowsFor(members: Iterable<MemberDefinition>): ReadonlyMap<string, 'all' | RowFilter>;
}

type Visible = Pick<Access, 'members' | 'entities'>;

const cachedCallers = 200;

/** Decides, caller by caller, what of a model is there. Which members are visible hangs on the policies that match alone, so callers share it. */
export class AccessControl {
  readonly #model: ModelDefinition;
  readonly #visible = new Map<string, Visible>();
  /** By context, of those that can't change: the requests of one token share theirs. */
  readonly #known = new WeakMap<SecurityContext, Access>();

  constructor(model: ModelDefinition) {
    this.#model = model;
  }

  /** What this caller may see and read. */
  of(context: SecurityContext): Access {
    const known = this.#known.get(context);
    if (known) return known;
    const access = this.#decide(context);
    if (Object.isFrozen(context)) this.#known.set(context, access);
    return access;
  }

  #decide(context: SecurityContext): Access {
    const decisions = new Map<string, Decision>();
    for (const [name, { policies }] of this.#model.entities) {
      const decision = decide(policies, context);
      if (decision) decisions.set(name, decision);
    }
    return { ...this.#visibleTo(decisions), rowsFor: members => this.#rowsFor(decisions, members) };
  }

  /** All that may be seen and nothing that may be read: for a rehearsal, never for a caller. */
  ofPublic(): Access {
    const entities = [...this.#model.entities.values()].filter(entity => entity.public);
    const members = entities.flatMap(entity => [...entity.members.values()].filter(member => member.public));
    return {
      members: new Map(members.map(member => [member.path, member])),
      entities: new Map(entities.map(entity => [entity.name, entity])),
      rowsFor: () => new Map([...this.#model.entities.keys()].map(name => [name, { kind: 'or', filters: [] }])),
    };
  }

  #rowsFor(
    decisions: ReadonlyMap<string, Decision>,
    members: Iterable<MemberDefinition>,
  ): ReadonlyMap<string, 'all' | RowFilter> {
    const named = new Map<string, string[]>();
    const add = (path: string) => {
      const [entity = '', name = ''] = path.split('.');
      named.set(entity, [...(named.get(entity) ?? []), name]);
    };
    const isOpened = (path: string) => {
      const [entity = '', name = ''] = path.split('.');
      const policies = this.#model.entities.get(entity)?.policies ?? [];
      return [...(decisions.get(entity)?.keys() ?? [])].some(index => policies[index]?.members.has(name));
    };
    for (const { path, target, readMembers } of members) {
      add(path);
      if (target !== undefined) add(target);
      // What a member is made of is read with the rows that go with it, too; a part that no policy opens is its author's to use.
      for (const read of readMembers) if (isOpened(read)) add(read);
    }
    const rows = new Map<string, 'all' | RowFilter>();
    for (const [name, decision] of decisions) {
      rows.set(name, rowsOf(this.#model.entities.get(name)?.policies ?? [], decision, named.get(name) ?? []));
    }
    return rows;
  }

  #visibleTo(decisions: ReadonlyMap<string, Decision>): Visible {
    const key = JSON.stringify([...decisions].map(([name, decision]) => [name, [...decision.keys()]]));
    const known = this.#visible.get(key);
    if (known) return known;
    const oldest = this.#visible.keys().next();
    if (this.#visible.size >= cachedCallers && !oldest.done) this.#visible.delete(oldest.value);
    const visible = visibleParts(this.#model, decisions);
    this.#visible.set(key, visible);
    return visible;
  }
}

function visibleParts({ entities }: ModelDefinition, decisions: ReadonlyMap<string, Decision>): Visible {
  const opens = (path: string) => {
    const [entity = '', name = ''] = path.split('.');
    const policies = [...(decisions.get(entity)?.keys() ?? [])];
    return policies.some(index => entities.get(entity)?.policies[index]?.members.has(name));
  };
  const isOpen = (member: MemberDefinition) =>
    member.public &&
    opens(member.path) &&
    (member.target === undefined || opens(member.target)) &&
    [...member.reads].every(cube => decisions.has(cube));
  const visible = { entities: new Map<string, EntityDefinition>(), members: new Map<string, MemberDefinition>() };
  for (const entity of entities.values()) {
    if (!entity.public || !decisions.has(entity.name)) continue;
    const members = [...entity.members.values()].filter(isOpen);
    if (members.length > 0) visible.entities.set(entity.name, entity);
    for (const member of members) visible.members.set(member.path, member);
  }
  return visible;
}
