import type { JsonObject } from '../../contract/wire.js';
import { jsonErrorPlace } from '../../report/explore/json-error.js';

/** Why a specification cannot be used. */
export type SpecProblem =
  /** The text is not a JSON object; with the position of the error, starting at 1. */
  | { readonly kind: 'syntax'; readonly line: number; readonly column: number }
  /** The chart cannot be rendered. `message` is a sentence in English for the author of the specification. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The code that checks charts could not be loaded. */
  | { readonly kind: 'unavailable' };

/** A checked specification. */
export type CheckedSpec =
  | { readonly spec: JsonObject; readonly problem: null }
  | { readonly spec: null; readonly problem: SpecProblem };

/**
 * Parses the text of a Vega or Vega-Lite specification and checks it as publishing does. The text is parsed as JSON and
 * never evaluated; expressions in it are parsed and interpreted.
 * @param columns - columns of the rows.
 */
export async function checkSpec(text: string, columns: readonly string[]): Promise<CheckedSpec> {
  const parsed = parse(text);
  if (parsed.problem) return parsed;
  let checks: typeof import('../../charts/publishing.js');
  try {
    checks = await import('../../charts/publishing.js');
  } catch {
    // The failure is reported to the user, who can retry.
    return { spec: null, problem: { kind: 'unavailable' } };
  }
  try {
    await checks.compileForPublishing(text, columns);
    return parsed;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { spec: null, problem: { kind: 'rejected', message } };
  }
}

function parse(text: string): CheckedSpec {
  try {
    const spec: unknown = JSON.parse(text);
    if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) {
      return { spec: spec as JsonObject, problem: null };
    }
    return { spec: null, problem: { kind: 'syntax', line: 1, column: 1 } };
  } catch {
    // The user sees the error with its position.
    return { spec: null, problem: { kind: 'syntax', ...jsonErrorPlace(text) } };
  }
}
