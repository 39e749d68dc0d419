import { type BaseDimension, BaseQuery, type BaseSegment } from '@cubejs-backend/schema-compiler';
import type { ComputedMember } from './computed-member.js';

/** A cube or view as the library hands it to SQL: each member writes itself. */
type Members = Readonly<Record<string, { toString(): string }>>;

/** What the library collects from. */
type Collected = { getMembers(): readonly object[] };

/** Whether a member of a query is one that the model doesn't have. */
export function isComputed(member: object): boolean {
  return 'isMemberExpression' in member && member.isMemberExpression === true;
}

/** Queries with members that the model doesn't have: values worked out of members, to group and to filter by. */
export class ExpressionQuery extends BaseQuery {
  override newDimension(member: string | ComputedMember): BaseDimension {
    return super.newDimension(typeof member === 'string' ? member : memberExpression(this, member));
  }

  override newSegment(member: string | ComputedMember): BaseSegment {
    return super.newSegment(typeof member === 'string' ? member : memberExpression(this, member));
  }

  /**
   * What the library once collected of a member it keeps for all queries of the model, by the text of the member's function. Ours say
   * nothing in theirs, so what is collected of them is kept for the query alone.
   */
  override collectFrom<T>(
    members: unknown[],
    collect: (traverse: () => void) => T,
    method: string | string[],
    cache?: unknown,
  ): T {
    const parts = (members as Collected[]).flatMap(member => member.getMembers());
    if (!parts.some(isComputed)) return super.collectFrom(members, collect, method, cache);
    const found = parts.flatMap(part => {
      const kept = isComputed(part) ? this.queryCache : cache;
      return super.collectFrom<T>([{ getMembers: () => [part] }], collect, method, kept);
    });
    return [...new Map(found.map(one => [JSON.stringify(one), one])).values()] as T;
  }
}

/**
 * A computed member as the library takes it: a function of the cube's members, of which it asks for its text to learn its parameters. By
 * `definition` it tells such members apart. No member of a model has a blank in its name.
 */
function memberExpression(query: ExpressionQuery, { cubeName, place, sql }: ComputedMember) {
  let constants: readonly string[] | undefined;
  const expression = (members: Members) => {
    // The library calls this many times, for one text.
    constants ??= sql.map(piece =>
      typeof piece === 'object' && 'constant' in piece ? query.paramAllocator.allocateParam(piece.constant) : '',
    );
    return sql
      .map((piece, index) => {
        if (typeof piece === 'string') return piece;
        return 'member' in piece ? memberSql(query, members, piece.member) : constants?.[index];
      })
      .join('');
  };
  const name = `computed ${place}`;
  return {
    cubeName,
    name,
    expressionName: name,
    definition: name,
    expression: Object.assign(expression, { toString: () => `(CUBE) => ${place}` }),
  };
}

/** Times are those of the query's zone. What measures and segments are made of stays as it is, as it does everywhere else. */
function memberSql(query: ExpressionQuery, members: Members, path: string): string {
  const convertTzForRawTimeDimension = query.cubeEvaluator.isDimension(path);
  return query.evaluateSymbolSqlWithContext(() => `(${members[path.slice(path.indexOf('.') + 1)]})`, {
    convertTzForRawTimeDimension,
  });
}
