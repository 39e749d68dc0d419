import * as z from 'zod/mini';
import { ReportMeta } from '../../contract/dashboard-input.js';
import type { MetaResponse } from '../../contract/meta.js';
import { PlatformError } from '../errors.js';
import { describeIssues } from '../mount.js';

/**
 * How a report is drawn, as it is stored: one of long ago may say what is refused today.
 * @param report - what it is called, for the message.
 * @throws PlatformError 400 that names the report and the key.
 */
export function readReportMeta(meta: unknown, report: string): ReportMeta {
  const read = z.safeParse(ReportMeta, meta);
  if (!read.success) throw new PlatformError(400, describeIssues(`${report}: meta`, read.error.issues));
  return read.data;
}

/** What a stored query may name its members by. */
interface NamingQuery {
  readonly measures?: unknown;
  readonly dimensions?: unknown;
  readonly segments?: unknown;
  readonly timeDimensions?: unknown;
  readonly filters?: unknown;
}

/**
 * Checks the members of a report's query against what is public in a model: a viewer can't mend them.
 * @param report - what it is called, for the message.
 * @throws PlatformError 400 that names the report and the member.
 */
export function checkMembers(query: NamingQuery, { cubes }: MetaResponse, report: string): void {
  const names = (kind: 'measures' | 'dimensions' | 'segments') =>
    new Set(cubes.flatMap(cube => cube[kind].map(({ name }) => name)));
  const known = { measure: names('measures'), dimension: names('dimensions'), segment: names('segments') };
  const times = list(query.timeDimensions).map(time => Object(time).dimension);
  const missing =
    lacking(list(query.measures), known.measure, 'measure') ??
    lacking([...list(query.dimensions), ...times].map(withoutGranularity), known.dimension, 'dimension') ??
    lacking(list(query.segments), known.segment, 'segment') ??
    lacking(filtered(query.filters).map(withoutGranularity), new Set([...known.measure, ...known.dimension]), 'member');
  if (missing !== null) throw new PlatformError(400, `${report}: ${missing} of the model that is public`);
}

function lacking(asked: readonly unknown[], known: ReadonlySet<string>, what: string): string | null {
  const name = asked.find(each => typeof each === 'string' && !known.has(each));
  return name === undefined ? null : `${String(name).slice(0, 200)} is no ${what}`;
}

/** Members of conditions, also of those in groups. */
function filtered(filters: unknown): unknown[] {
  return list(filters).flatMap(filter => {
    const { member, dimension, and, or } = Object(filter);
    return [member ?? dimension, ...filtered(and), ...filtered(or)];
  });
}

/** `cube.member.month` names the member `cube.member`. */
function withoutGranularity(name: unknown): unknown {
  return typeof name === 'string' ? name.split('.').slice(0, 2).join('.') : name;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
