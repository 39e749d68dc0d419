import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const elements = fileURLToPath(new URL('../src/elements', import.meta.url));
const languages = ['ar', 'de', 'es', 'fr', 'ja'] as const;
/** English messages by the name of their element: `kpi-messages.ts` exports `kpiMessages`. */
const english = new Map(
  readdirSync(elements, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('-messages.ts'))
    .map(file => [basename(file, '-messages.ts'), file] as const)
    .sort(),
);

/** Messages that are the same in English: names, units, signs, and words that exist in both languages. */
const alike: Readonly<Record<(typeof languages)[number], readonly string[]>> = {
  ar: [],
  de: ['Code', 'Dashboard', 'Details', 'Format', 'Position', 'Text', 'Chat', '3 s', 'Version 3'],
  es: ['Chat', '3 s', 'No', 'Total'],
  fr: ['3 s', 'Condition', 'Format', 'Position', 'Suggestions', 'Total', 'Version 3', 'Versions', 'vs 3'],
  ja: [],
};

type Words = Readonly<Record<string, unknown>>;

async function words(element: string, language: string): Promise<Words> {
  if (language === 'en') return exportOf(english.get(element) ?? '', `${element}Messages`);
  if (element === 'shared') return exportOf(`messages/${language}/shared.ts`, 'shared');
  const groups = ['dashboard', 'chat', 'creator', 'viewer'].map(group =>
    exportOf(`messages/${language}/${group}.ts`, language),
  );
  const found = (await Promise.all(groups)).map(group => group[element]).find(isWords);
  if (!found) throw new Error(`${language} has no messages of ${element}`);
  return found;
}

async function exportOf(file: string, name: string): Promise<Words> {
  const module: Words = await import(join(elements, file));
  const found = module[name];
  if (!isWords(found)) throw new Error(`${file} exports no ${name}`);
  return found;
}

function isWords(value: unknown): value is Words {
  return typeof value === 'object' && value !== null;
}

const counts = { paragraphs: 3, lists: 3, tables: 3, charts: 3, codeBlocks: 3 };
/** A value that fits every parameter of a message: text, number, counts and time span. */
const sample: unknown = Object.assign(Object(3), { ...counts, amount: 3, unit: 'month' });

/** Calls a message with samples; with `bar` as the first argument if that argument accepts only certain values. */
function callMessage(sentence: (...given: unknown[]) => unknown, first: unknown): unknown {
  try {
    return sentence(first, sample, sample, sample);
  } catch (error) {
    if (first !== sample) throw error;
    return callMessage(sentence, 'bar');
  }
}

/** Returns every message of a catalog by its path; functions are called with 3 as each argument. */
function texts(value: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    return texts(
      callMessage((...given) => value(...given), sample),
      `${path}()`,
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => texts(part, path === '' ? key : `${path}.${key}`));
}

describe.each([...english.keys()])('%s', element => {
  it('says the same things in the same order in every language', async () => {
    const paths = texts(await words(element, 'en')).map(([path]) => path);
    expect(paths.length).toBeGreaterThan(0);
    for (const language of languages) {
      expect(
        texts(await words(element, language)).map(([path]) => path),
        language,
      ).toEqual(paths);
    }
  });

  it.each(languages)('is said in %s, not in English', async language => {
    const inEnglish = new Map(texts(await words(element, 'en')));
    const own = texts(await words(element, language));
    const same = own.filter(([path, text]) => text === inEnglish.get(path)).map(([, text]) => text);
    expect(same.filter(text => /\p{L}/u.test(text) && !alike[language].includes(text))).toEqual([]);
    expect(own.filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

describe('counts in sentences', () => {
  const rowCount = async (language: string, count: number): Promise<unknown> => {
    const { rowCount: say } = await words('step', language);
    return typeof say === 'function' ? say(count) : null;
  };

  it.each([
    ['en', ['0 rows', '1 row', '2 rows', '1,000 rows']],
    ['de', ['0 Zeilen', '1 Zeile', '2 Zeilen', '1.000 Zeilen']],
    ['es', ['0 filas', '1 fila', '2 filas', '1000 filas']],
    ['fr', ['0 ligne', '1 ligne', '2 lignes', '1\u202f000 lignes']],
    ['ja', ['0 行', '1 行', '2 行', '1,000 行']],
  ])('follow the rules of %s', async (language, said) => {
    expect(await Promise.all([0, 1, 2, 1000].map(count => rowCount(language, count)))).toEqual(said);
  });

  it('have six plural forms in Arabic', async () => {
    const figures = (count: number) => new Intl.NumberFormat('ar').format(count);
    expect(await Promise.all([0, 1, 2, 3, 11, 100].map(count => rowCount('ar', count)))).toEqual([
      'لا صفوف',
      'صف واحد',
      'صفّان',
      `${figures(3)} صفوف`,
      `${figures(11)} صفًا`,
      `${figures(100)} صف`,
    ]);
  });
});
