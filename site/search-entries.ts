import type { Site } from './build.js';

/** An entry of the search index. Keys are short, because every reader who searches loads the index. */
export interface SearchEntry {
  /** Title. */
  readonly t: string;
  /** Name of the page or group that contains it. */
  readonly s: string;
  /** Address, relative to the root of the site. */
  readonly u: string;
  /** First words of the text. */
  readonly x: string;
}

/** Lists pages, headings, members of elements, operations and schemas. */
export function searchEntries({ guides, elements, api }: Site): SearchEntry[] {
  return [
    ...guides.flatMap(({ url, title, group, description, headings }) => [
      entry(title, group, url, description),
      ...headings.map(({ id, text, excerpt }) => entry(text, title, `${url}#${id}`, excerpt)),
    ]),
    ...elements.flatMap(({ url, tag, summary, sections }) => [
      entry(`<${tag}>`, 'Elements', url, summary),
      ...sections.flatMap(section =>
        section.members.map(({ name, id, text }) => entry(name, `<${tag}> · ${section.title}`, `${url}#${id}`, text)),
      ),
    ]),
    ...api.operations.map(({ url, title, family, method, path, summary }) =>
      entry(title, family, url, `${method} ${path} ${summary}`),
    ),
    ...api.schemas.map(({ url, name }) => entry(name, 'Schemas', url, '')),
  ];
}

const entry = (title: string, section: string, url: string, text: string): SearchEntry => ({
  t: title,
  s: section,
  u: url.slice(1),
  x: text.slice(0, 160),
});
