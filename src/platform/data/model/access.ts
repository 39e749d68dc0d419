import type { SecurityContext } from '../semantic-model.js';
import type { EntityDefinition, MemberDefinition, ModelDefinition } from './definition.js';
import { type Decision, decide, type RowFilter } from './policy.js';

/** What one caller may see and read of a model. */
export interface Access {
  /** Members that the caller may name, by path. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  /** Cubes and views of which the caller may name something. */
  readonly entities: ReadonlyMap<string, EntityDefinition>;
  /** What the caller may read, by cube or view; what is missing here may not be read at all. */
  readonly rows: ReadonlyMap<string, 'all' | RowFilter>;
}

type Visible = Pick<Access, 'members' | 'entities'>;

const cachedCallers = 200;

/** Decides, caller by caller, what of a model is there. Which members are visible hangs on the policies that match alone, so callers share it. */
export class AccessControl {
  readonly #model: ModelDefinition;
  readonly #visible = new Map<string, Visible>();

  constructor(model: ModelDefinition) {
    this.#model = model;
  }

  /** What this caller may see and read. */
  of(context: SecurityContext): Access {
    const decisions = new Map<string, Decision>();
    for (const [name, { policies }] of this.#model.entities) {
      const decision = decide(policies, context);
      if (decision) decisions.set(name, decision);
    }
    const rows = new Map([...decisions].map(([name, decision]) => [name, decision.rows]));
    return { ...this.#visibleTo(decisions), rows };
  }

  /** All that may be seen and nothing that may be read: for a rehearsal, never for a caller. */
  ofNoOne(): Access {
    const entities = [...this.#model.entities.values()].filter(entity => entity.public);
    const members = entities.flatMap(entity => [...entity.members.values()].filter(member => member.public));
    return {
      members: new Map(members.map(member => [member.path, member])),
      entities: new Map(entities.map(entity => [entity.name, entity])),
      rows: new Map([...this.#model.entities.keys()].map(name => [name, { kind: 'or', filters: [] }])),
    };
  }

  #visibleTo(decisions: ReadonlyMap<string, Decision>): Visible {
    const key = JSON.stringify([...decisions].map(([name, { policies }]) => [name, policies]));
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
    const policies = decisions.get(entity)?.policies ?? [];
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
