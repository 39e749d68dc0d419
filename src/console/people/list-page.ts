import type { Page } from '../../client/operations/pagination.js';
import type { Call } from './people-api.js';
import type { PageLanguage } from './people-messages.js';

/** An action on a row. */
export interface RowAction {
  readonly label: string;
  /** Confirmation question before the action; `null` if there is none. */
  readonly question: string | null;
  run(): Promise<unknown>;
}

/** A row of a list. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly string[];
  /** Detail pages of the row. */
  readonly links?: readonly { readonly label: string; readonly href: string }[];
  readonly actions: readonly RowAction[];
}

/** The part of a list that is requested. */
export interface ListRequest {
  readonly first: number;
  readonly after?: string;
  /** Text of the search field; omitted if it is empty. */
  readonly search?: string;
}

/** A field of a form: an input, or a list if it has options. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly isOptional?: boolean;
  /** Type of the input; `text` by default. */
  readonly type?: 'text' | 'date' | 'email' | 'password';
  readonly minLength?: number;
  /** Resolves to the values of a list. The first one is selected. */
  readonly options?: () => Promise<readonly { readonly value: string; readonly label: string }[]>;
}

/** A form that creates an item of a list. */
export interface CreateForm {
  /** Title of the form. */
  readonly label: string;
  readonly button: string;
  readonly fields: readonly FormField[];
  /** Creates the item from the values of the fields. A secret that it resolves to is shown once. */
  run(values: Readonly<Record<string, string>>): Promise<{ readonly secret: string } | null>;
}

/** A page with one list. */
export interface ListPage {
  /** Fragment of the page's address. */
  readonly id: string;
  readonly title: string;
  /** Resolves to the name of the item on a detail page. The name is shown after the title. */
  readonly name?: () => Promise<string>;
  /** Label of the search field; `null` if the list has none. */
  readonly searchLabel: string | null;
  readonly columns: readonly string[];
  load(request: ListRequest, signal: AbortSignal): Promise<Page<Row>>;
  /** Form that creates an item; `null` if the page creates none. */
  readonly create: CreateForm | null;
  /** Returns the detail page at a path below this page; `null` if there is none. */
  detail?(path: readonly string[]): ListPage | null;
}

/** Functions and messages that all pages use. */
export interface PageTools {
  readonly call: Call;
  readonly messages: PageLanguage['messages'];
  /** Formats a time; "never" if there is none. */
  readonly time: (text: string | null | undefined) => string;
}

/** Finds the page of a fragment such as `groups/7`; the first page if there is none. */
export function findPage(pages: readonly ListPage[], fragment: string): ListPage | null {
  const [id, ...path] = fragment.split('/').map(decode);
  const page = pages.find(each => each.id === id);
  const detail = path.length > 0 ? page?.detail?.(path) : null;
  return detail ?? page ?? pages[0] ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An incomplete escape sequence names no item.
    return '';
  }
}
