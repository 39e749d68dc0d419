import { MemberType } from '../model/conditions.js';
import { isoTime, type TimeZone } from '../time/time-zone.js';
import { SqlType } from './sql-type.js';
import type { Expression } from './tree.js';

/** Matches a whole number and ignores a fraction of zeros. */
const whole = /^(-?\d{1,18})(?:\.0*)?$/;

/**
 * Converts a constant to a filter value. Returns `undefined` if the filter would compare differently from SQL.
 * @param type - SQL type of the member's values.
 * @param memberType - type as which filters compare.
 */
export function constantOf(
  constant: Expression,
  type: SqlType | undefined,
  memberType: MemberType,
  timezone: TimeZone,
): string | undefined {
  if (memberType === MemberType.time) return type === SqlType.timestamp ? timeOf(constant, timezone) : undefined;
  if (constant.kind !== 'literal' || constant.value === null || constant.type === SqlType.unknown) return undefined;
  const text = String(constant.value);
  switch (memberType) {
    case MemberType.string:
      return type === SqlType.text && constant.type === SqlType.text ? text : undefined;
    case MemberType.boolean:
      return type === SqlType.boolean ? text : undefined;
    case MemberType.number:
      return numberOf(text, type);
  }
}

/**
 * Returns the text of a whole number. Rejects fractions, because filters compare them as doubles, which are less exact
 * than numerics.
 */
function numberOf(text: string, type: SqlType | undefined): string | undefined {
  if (type === SqlType.double || type === SqlType.ratio || type === SqlType.integer) return text;
  return type === SqlType.bigint || type === SqlType.numeric ? whole.exec(text)?.[1] : undefined;
}

/**
 * Returns a time for a filter; `undefined` if filters cannot represent it exactly, because they compare milliseconds in
 * UTC.
 */
function timeOf(constant: Expression, timezone: TimeZone): string | undefined {
  const inner = constant.kind === 'cast' ? constant.value : constant;
  if (inner.kind !== 'literal' || typeof inner.value !== 'string') return undefined;
  const isTime = constant.type === SqlType.timestamp && /^[1-9]\d{3}-/.test(inner.value);
  if (!isTime || (constant.kind === 'cast' && inner.type !== SqlType.date)) return undefined;
  const local = inner.type === SqlType.date ? `${inner.value}T00:00:00.000` : inner.value;
  return local.length === 23 && isOnce(local, timezone) ? local : undefined;
}

/** Returns the last millisecond before a whole second, with which ranges end; `undefined` for any other time. */
export function dateBefore(local: string, timezone: TimeZone): string | undefined {
  if (!local.endsWith('.000')) return undefined;
  const before = isoTime(Date.parse(`${local}Z`) - 1);
  return isOnce(before, timezone) ? before : undefined;
}

const dayMs = 86_400_000;

/** Whether a local time occurs exactly once. When clocks are set back, a later local time can be an earlier instant. */
function isOnce(local: string, timezone: TimeZone): boolean {
  const wall = Date.parse(`${local}Z`);
  const offsets = new Set([timezone.offsetAt(wall - dayMs), timezone.offsetAt(wall + dayMs)]);
  return [...offsets].filter(offset => timezone.offsetAt(wall - offset) === offset).length === 1;
}
