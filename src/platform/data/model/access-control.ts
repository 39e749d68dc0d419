import { LRUCache } from 'lru-cache';
import type { SecurityContext } from '../../auth/principal.js';
import type { EntityDefinition, MemberDefinition, ModelDefinition } from './definition.js';
import { type Decision, decide, type RowFilter, rowsOf } from './policy.js';

/** Members and rows of a model that one caller can access. */
export interface Access {
  /** Members that the caller may query, by path. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  /** Cubes and views with at least one visible member. */
  readonly entities: ReadonlyMap<string, EntityDefinition>;
  /** Returns the rows that a query of these members may read, by cube or view. Access to missing entities is denied. */
  rowsFor(members: Iterable<MemberDefinition>): ReadonlyMap<string, 'all' | RowFilter>;
}

type Visible = Pick<Access, 'members' | 'entities'>;

const maxVisibleSets = 200;

/**
 * Decides what a caller can access. Visible members depend only on the matching policies, so callers share the result.
 */
export class AccessControl {
  readonly #model: ModelDefinition;
  readonly #visible = new LRUCache<string, Visible>({ max: maxVisibleSets });
  /** Access by frozen security context. Requests with the same token share a context. */
  readonly #cached = new WeakMap<SecurityContext, Access>();

  constructor(model: ModelDefinition) {
    this.#model = model;
  }

  /** Returns what the caller with this security context can access. */
  of(context: SecurityContext): Access {
    const cached = this.#cached.get(context);
    if (cached) return cached;
    const access = this.#decide(context);
    if (Object.isFrozen(context)) this.#cached.set(context, access);
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

  /** Returns access to all public members, but to no rows. For validation of models, never for callers. */
  ofPublic(): Access {
    return this.#withoutRows(each => each.public);
  }

  /** Returns access to all members, but to no rows. For validation of models, never for callers. */
  ofAll(): Access {
    return this.#withoutRows(() => true);
  }

  #withoutRows(isVisible: (each: EntityDefinition | MemberDefinition) => boolean): Access {
    const entities = [...this.#model.entities.values()].filter(isVisible);
    const members = entities.flatMap(entity => [...entity.members.values()].filter(isVisible));
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
    const namesByEntity = new Map<string, string[]>();
    const add = (path: string) => {
      const [entity = '', name = ''] = path.split('.');
      namesByEntity.set(entity, [...(namesByEntity.get(entity) ?? []), name]);
    };
    const isGranted = (path: string) => {
      const [entity = '', name = ''] = path.split('.');
      const policies = this.#model.entities.get(entity)?.policies ?? [];
      return [...(decisions.get(entity)?.keys() ?? [])].some(index => policies[index]?.members.has(name));
    };
    for (const { path, target, readMembers } of members) {
      add(path);
      if (target !== undefined) add(target);
      // Also restrict rows by the granted members that the member references. Members without a grant are allowed in
      // its definition.
      for (const read of readMembers) if (isGranted(read)) add(read);
    }
    const rows = new Map<string, 'all' | RowFilter>();
    for (const [name, decision] of decisions) {
      rows.set(name, rowsOf(this.#model.entities.get(name)?.policies ?? [], decision, namesByEntity.get(name) ?? []));
    }
    return rows;
  }

  #visibleTo(decisions: ReadonlyMap<string, Decision>): Visible {
    const key = JSON.stringify([...decisions].map(([name, decision]) => [name, [...decision.keys()]]));
    const cached = this.#visible.get(key);
    if (cached) return cached;
    const visible = visibleParts(this.#model, decisions);
    this.#visible.set(key, visible);
    return visible;
  }
}

function visibleParts({ entities }: ModelDefinition, decisions: ReadonlyMap<string, Decision>): Visible {
  const grants = (path: string) => {
    const [entity = '', name = ''] = path.split('.');
    const policies = [...(decisions.get(entity)?.keys() ?? [])];
    return policies.some(index => entities.get(entity)?.policies[index]?.members.has(name));
  };
  const isVisible = (member: MemberDefinition) =>
    member.public &&
    grants(member.path) &&
    (member.target === undefined || grants(member.target)) &&
    [...member.reads].every(cube => decisions.has(cube));
  const visible = { entities: new Map<string, EntityDefinition>(), members: new Map<string, MemberDefinition>() };
  for (const entity of entities.values()) {
    if (!entity.public || !decisions.has(entity.name)) continue;
    const members = [...entity.members.values()].filter(isVisible);
    if (members.length > 0) visible.entities.set(entity.name, entity);
    for (const member of members) visible.members.set(member.path, member);
  }
  return visible;
}
