import { randomBytes } from 'node:crypto';
import { isMaskedName } from '../../../contract/env-variables.js';

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

/** The only syntax for a variable in a model: exactly `{{ env_var('NAME') }}`. */
const usePattern = /\{\{ env_var\('([^'{}\n]{1,255})'\) \}\}/g;
const tokenPattern = /pa_env_[0-9a-f]{32}/g;
/** A value that cannot change the structure of SQL in any position. */
const wordPattern = /^[\p{L}\p{N}_.]+$/u;
const negativePattern = /^-\d+(?:\.\d+)?$/;
/** Matches SQL comments, quoted identifiers, strings with escapes, strings, and dollar-quoted strings. */
const quotedPattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\b[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g;

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
    const literals = [...sql.matchAll(quotedPattern)].filter(([quoted]) => quoted.startsWith("'"));
    const positionOf = (offset: number): Position => {
      const isInLiteral = literals.some(({ 0: { length }, index }) => index < offset && offset < index + length);
      return isInLiteral ? 'literal' : 'elsewhere';
    };
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

  /** Returns the statement for the engine, with values instead of tokens. */
  reveal(sql: string): string {
    return sql.includes('pa_env_') ? sql.replace(tokenPattern, token => this.#bindings.get(token)?.sql ?? token) : sql;
  }

  /** Returns the text that callers may see, with references to variables instead of tokens. */
  hide(text: string): string {
    return text.replace(tokenPattern, token => {
      const binding = this.#bindings.get(token);
      return binding ? useOf(binding.name) : token;
    });
  }

  /** Replaces the values of a statement's variables in a string, such as an error message, with references. */
  redact(text: string, sql: string): string {
    let redacted = this.hide(text);
    for (const [token] of sql.matchAll(tokenPattern)) {
      const binding = this.#bindings.get(token);
      if (!binding || binding.sql === '') continue;
      for (const value of new Set([binding.sql, binding.sql.replaceAll("''", "'")])) {
        redacted = redacted.replace(wordOf(value), useOf(binding.name));
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

/** Returns a pattern that matches a value unless it is part of a longer word. */
function wordOf(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\p{L}\\p{N}_])`, 'gu');
}
