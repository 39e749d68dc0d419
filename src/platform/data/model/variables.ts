import { createHash, randomBytes } from 'node:crypto';
import { isMaskedName } from '../../../contract/env-variables.js';
import { LoggableError } from '../../errors.js';
import { stringLiterals } from './sql-literals.js';

/** Environment variables by name. */
export type ModelVariables = ReadonlyMap<
  string,
  {
    readonly value: string;
    /** Changes whenever the value is written, but reveals nothing about the value. */
    readonly revision: string;
    /** True for a token that expires. Only the URL of a data source can contain it. */
    readonly isToken?: true;
  }
>;

/** A source of environment variables that may change. */
export interface VariableSource {
  readonly current: ModelVariables;
  /** Registers a callback for changes. */
  onChange(listener: () => void): void;
}

/** A source without variables. */
export const noVariables: VariableSource = { current: new Map(), onChange: () => {} };

/** Returns a key that changes whenever a variable that a model can use changes. It reveals nothing about values. */
export function revisionOf(variables: ModelVariables): string {
  // Models cannot use tokens and masked variables, so changes of these do not change the model.
  const revisions = [...variables].flatMap(([name, { revision, isToken }]) =>
    isToken || isMaskedName(name) ? [] : [[name, revision]],
  );
  return createHash('sha256').update(JSON.stringify(revisions)).digest('hex').slice(0, 16);
}

/** The only syntax for a variable in a model: exactly `{{ env_var('NAME') }}`. */
const usePattern = /\{\{ env_var\('([^'{}\n]{1,255})'\) \}\}/g;
const tokenPattern = /pa_env_[0-9a-f]{32}/g;
/** A value that cannot change the structure of SQL in any position. */
const wordPattern = /^[\p{L}\p{N}_.]+$/u;
const negativePattern = /^-\d+(?:\.\d+)?$/;
/** Maximum number of characters on each side of a reference that can form a word with its value. */
const maxWordPart = 200;
/** Maximum length of a statement with the values of its variables, in characters. */
const maxRevealed = 4_000_000;

/** Removes the references to variables from a string. */
export function withoutUses(text: string): string {
  return text.replace(usePattern, '');
}

/** Returns the names of the variables that a string references. */
export function usesOf(text: string): string[] {
  return [...text.matchAll(usePattern)].map(([, name = '']) => name);
}

/** Position of a variable in SQL: within a string literal, or elsewhere. */
type Position = 'literal' | 'elsewhere';

interface Binding {
  readonly name: string;
  /** SQL that replaces the token in a statement. */
  readonly sql: string;
}

/** SQL with tokens instead of references to variables, or the reason why a variable cannot be used. */
export type BoundSql =
  | { readonly sql: string }
  | {
      readonly problem: string;
      /** Whether the model is valid except for the missing or unsuitable value of a variable. */
      readonly isValueMissing: boolean;
    };

/**
 * Replaces variables in the SQL of a model with random tokens, which only the engine replaces with values. Therefore
 * neither the compiled model nor generated SQL nor messages contain values. Callers cannot guess a token.
 */
export class VariableTokens {
  readonly #bindings = new Map<string, Binding>();
  /**
   * Tokens by variable and value. Equal references have equal tokens, so that cached results stay valid when other
   * parts of the model change.
   */
  readonly #tokens = new Map<string, string>();

  /** Replaces the references to variables in a scalar of a model. Adds the revision of each variable to `used`. */
  bind(text: string, variables: ModelVariables, used: Map<string, string>): BoundSql {
    const provisional = new Map<string, Binding>();
    for (const name of new Set(usesOf(text))) {
      if (isMaskedName(name) || variables.get(name)?.isToken) {
        const problem = `the environment variable ${name} is masked: it can be used only in the URL of the data source`;
        return { problem, isValueMissing: false };
      }
      const variable = variables.get(name);
      if (!variable) return { problem: `the environment variable ${name} is not set`, isValueMissing: true };
      used.set(name, variable.revision);
      provisional.set(newToken(), { name, sql: variable.value });
    }
    let sql = text;
    for (const [token, { name }] of provisional) sql = sql.replaceAll(`{{ env_var('${name}') }}`, token);
    const positionOf = createPositions(sql);
    let problem: string | null = null;
    const bound = sql.replace(tokenPattern, (token, offset: number) => {
      const binding = provisional.get(token);
      if (!binding) return token;
      const value = sqlOf(binding.sql, positionOf(offset));
      problem ??= value === null ? refusal(binding.name, positionOf(offset)) : null;
      return this.#tokenOf({ name: binding.name, sql: value ?? '' });
    });
    return problem === null ? { sql: bound } : { problem, isValueMissing: true };
  }

  /**
   * Returns the statement for the engine, with values instead of tokens.
   * @throws LoggableError if the statement is too long.
   */
  reveal(sql: string): string {
    if (!sql.includes('pa_env_')) return sql;
    let { length } = sql;
    return sql.replace(tokenPattern, token => {
      const value = this.#bindings.get(token)?.sql ?? token;
      length += value.length - token.length;
      if (length > maxRevealed)
        throw new LoggableError('The values of environment variables make a statement too long.');
      return value;
    });
  }

  /** Returns the text that callers may see, with references to variables instead of tokens. */
  hide(text: string): string {
    return text.replace(tokenPattern, token => {
      const binding = this.#bindings.get(token);
      return binding ? useOf(binding.name) : token;
    });
  }

  /**
   * Replaces the values of a statement's variables in a string, such as an error message, with references. Ignores
   * case, because engines change the case of some names.
   */
  redact(text: string, sql: string): string {
    let redacted = this.hide(text);
    const matches = [...sql.matchAll(tokenPattern)];
    for (const word of new Set(matches.map(match => wordAround(sql, match)))) {
      redacted = replaceAll(redacted, this.reveal(word), this.hide(word));
    }
    for (const token of new Set(matches.map(([match]) => match))) {
      const binding = this.#bindings.get(token);
      if (!binding || binding.sql === '') continue;
      // Engines report the parts of a qualified name separately.
      const parts = wordPattern.test(binding.sql) ? binding.sql.split('.').filter(part => part !== '') : [];
      for (const value of new Set([binding.sql, binding.sql.replaceAll("''", "'"), ...parts])) {
        redacted = replaceAll(redacted, value, useOf(binding.name));
      }
    }
    return redacted;
  }

  #tokenOf(binding: Binding): string {
    const key = JSON.stringify([binding.name, binding.sql]);
    const token = this.#tokens.get(key) ?? newToken();
    this.#tokens.set(key, token);
    this.#bindings.set(token, binding);
    return token;
  }
}

/** A URL with its variables replaced, or the name of a variable that is not set. */
export type BoundUrl = { readonly url: string } | { readonly unset: string };

/** Replaces variables in the URL of a data source. Values are percent-encoded. Masked variables can be used here. */
export function bindUrl(url: string, variables: ModelVariables): BoundUrl {
  const unset = usesOf(url).find(name => !variables.has(name));
  if (unset !== undefined) return { unset };
  return { url: url.replace(usePattern, (_, name: string) => encodeURIComponent(variables.get(name)?.value ?? '')) };
}

/** Returns the SQL of a value; `null` if the value could change the structure of the statement. */
function sqlOf(value: string, position: Position): string | null {
  // Add parentheses, because a minus sign before a negative number would begin a comment.
  if (position === 'elsewhere' && negativePattern.test(value)) return `(${value})`;
  if (position === 'elsewhere') return wordPattern.test(value) ? value : null;
  return /[\\\p{Cc}]/u.test(value) ? null : value.replaceAll("'", "''");
}

function refusal(name: string, position: Position): string {
  return position === 'literal'
    ? `the value of the environment variable ${name} must not contain backslashes or control characters`
    : `the value of the environment variable ${name} must consist of letters, digits, _ and . unless the reference is in single quotes`;
}

function newToken(): string {
  return `pa_env_${randomBytes(16).toString('hex')}`;
}

function useOf(name: string): string {
  return `{{ env_var('${name}') }}`;
}

/** Returns a function that returns the positions of increasing offsets in SQL. */
function createPositions(sql: string): (offset: number) => Position {
  const literals = stringLiterals(sql);
  let next = 0;
  return offset => {
    while ((literals[next]?.end ?? Infinity) <= offset) next += 1;
    return (literals[next]?.start ?? Infinity) < offset ? 'literal' : 'elsewhere';
  };
}

/** Returns a token in SQL with the characters around it that form a longer word with its value. */
function wordAround(sql: string, { 0: token, index }: RegExpExecArray): string {
  const end = index + token.length;
  const before = sql.slice(Math.max(0, index - maxWordPart), index);
  let start = before.length;
  while (start > 0 && isWordCharacter(before[start - 1])) start -= 1;
  const after = /^[\p{L}\p{N}_]*/u.exec(sql.slice(end, end + maxWordPart))?.[0] ?? '';
  return before.slice(start) + token + after;
}

/** Replaces a value unless it is part of a longer word, regardless of case. */
function replaceAll(text: string, value: string, replacement: string): string {
  if (value === '' || value.length > text.length) return text;
  const before = isWordCharacter(value[0]) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = isWordCharacter(value.at(-1)) ? '(?![\\p{L}\\p{N}_])' : '';
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return text.replace(new RegExp(`${before}${escaped}${after}`, 'giu'), () => replacement);
}

function isWordCharacter(character = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
