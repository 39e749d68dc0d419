import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../../src/platform/agent/agent.js';
import { createAnalyst } from '../../../src/platform/agent/analyst/analyst.js';
import { createModelAgent } from '../../../src/platform/agent/language-model/model-agent.js';
import { compileModel } from '../../../src/platform/data/compile-model.js';
import { type Cube, describeCubes } from '../../../src/platform/data/generate/describe-cubes.js';
import { readTables } from '../../../src/platform/data/generate/read-tables.js';
import { ask } from '../../platform/agent/analyst/run-question.js';
import { connect, type World, worldOf } from '../../platform/agent/analyst/worlds.js';
import { allRowsPolicy } from '../../platform/data/model/model-yaml.js';
import type { Bench, Figure } from '../figures.js';
import { Grade, grade } from './grade.js';
import { readQuestionSet, type SetQuestion } from './question-set.js';

/** Folder of the question set, with the files of the NLV Corpus (https://nlvcorpus.github.io, MIT license). */
const directory = process.env.PA_ANALYST_QUESTIONS ?? 'test/bench/analyst/nlv-corpus';

/**
 * Sends the questions of a public set to the built-in analyst, and prints the percentages of right and wrong answers.
 */
export const analystFigures: Bench = async function* ({ note }) {
  if (!existsSync(join(directory, 'NLV_Corpus.csv'))) {
    note(`The analyst is not measured: PA_ANALYST_QUESTIONS names no folder with the NLV Corpus (${directory}).`);
    return;
  }
  const questions = await readQuestionSet(directory);
  yield* measure(questions, { name: 'analyst', agent: createAnalyst() });
  const { PA_LLM_BASE_URL: baseUrl, PA_LLM_MODEL: model, PA_LLM_API_KEY: apiKey = null } = process.env;
  if (!baseUrl || !model) {
    note('No language model is measured: set PA_LLM_BASE_URL and PA_LLM_MODEL.');
    return;
  }
  yield* measure(questions, { name: `language model ${model}`, agent: createModelAgent({ baseUrl, model, apiKey }) });
};

interface Measured {
  readonly name: string;
  readonly agent: Agent;
}

/** Sends all questions to an agent, and grades its last query, because a language model may try other queries first. */
async function* measure(questions: readonly SetQuestion[], { name, agent }: Measured): AsyncGenerator<Figure> {
  const graded: { readonly question: SetQuestion; readonly grade: Grade; readonly text: string }[] = [];
  const reader = createAnalyst();
  for (const dataset of new Set(questions.map(question => question.dataset))) {
    const own = questions.filter(question => question.dataset === dataset);
    const times = new Set(own.flatMap(({ expected }) => expected.time ?? []));
    const { world, partOf } = await openDataset(dataset, times);
    const context = world.context();
    const tool = reader.questionReader(context.data, { timezone: world.timezone, now: () => world.now });
    const asked = { ...world, context: () => ({ ...context, tools: new Map([...context.tools, [tool.name, tool]]) }) };
    for (const question of own) {
      const given = await ask(agent, asked, question.text);
      const answer = name === 'analyst' ? given : { ...given, queries: given.queries.slice(-1) };
      graded.push({ question, grade: grade(answer, question, partOf), text: describe(answer) });
    }
    world.close();
  }
  if (process.env.PA_ANALYST_FAILURES) {
    // List only the questions of the development half. The held-out half shows whether the rules generalize.
    const failed = graded.filter(one => one.question.isLearned && one.grade !== Grade.right);
    const lines = failed.map(one => `${one.grade}\t${one.question.dataset}\t${one.question.text}\t${one.text}`);
    await writeFile(process.env.PA_ANALYST_FAILURES, `${lines.sort().join('\n')}\n`);
  }
  for (const isLearned of [true, false]) {
    yield figureOf(
      `${name}: ${isLearned ? 'half to learn from' : 'measured half'}`,
      graded.filter(one => one.question.isLearned === isLearned).map(one => one.grade),
    );
  }
}

function describe({ queries, text }: Awaited<ReturnType<typeof ask>>): string {
  return queries.length > 0 ? JSON.stringify(queries) : text.replaceAll('\n', ' ').slice(0, 200);
}

function figureOf(what: string, grades: readonly Grade[]): Figure {
  const count = (...chosen: Grade[]) => grades.filter(one => chosen.includes(one)).length;
  const percent = (part: number, whole: number) => `${Math.round((1000 * part) / Math.max(1, whole)) / 10} %`;
  const answered = count(Grade.right, Grade.partly, Grade.wrong);
  return {
    what: `${what} (${grades.length} questions)`,
    measured: [
      `answered whole ${percent(count(Grade.right), grades.length)} (${count(Grade.right)})`,
      `partly ${count(Grade.partly)}`,
      `refused ${count(Grade.refused)}`,
      `asked back ${count(Grade.asked)}`,
      `wrong ${count(Grade.wrong)}: ${percent(count(Grade.wrong), answered)} of the answers`,
    ].join(', '),
    aim: 'whole 55 %, wrong 2 % of the answers',
  };
}

/** Loads a data set into an engine, with the model that `pa-platform init` writes and plain titles. */
async function openDataset(dataset: string, times: ReadonlySet<string>) {
  const connection = await connect();
  // Columns that charts use with a time unit are dates. Years of two digits are of the 20th century.
  const dates = [...times].map(
    column =>
      `CASE WHEN TRY_CAST("${column}" AS INT) IS NOT NULL THEN make_date((TRY_CAST("${column}" AS INT) + CASE WHEN TRY_CAST("${column}" AS INT) < 100 THEN 1900 ELSE 0 END)::BIGINT, 1, 1) ELSE TRY_CAST(TRY_STRPTIME("${column}"::VARCHAR, ['%m/%d/%y', '%m/%d/%Y', '%Y-%m-%d']) AS DATE) END AS "${column}"`,
  );
  const replaced = dates.length > 0 ? ` REPLACE (${dates.join(', ')})` : '';
  await connection.run(
    `CREATE TABLE ${dataset} AS SELECT *${replaced} FROM read_csv('${join(directory, 'datasets', `${dataset}.csv`).replaceAll("'", "''")}', encoding = 'latin-1')`,
  );
  const run = async (sql: string) => ({
    columns: (await connection.runAndReadAll(sql)).getColumnsJson() as string[][],
  });
  const [cube] = await describeCubes(await readTables({ run, tables: [dataset] }), { run }, null);
  if (cube === undefined) throw new Error(`The data set ${dataset} has no columns.`);
  const models = await mkdtemp(join(tmpdir(), 'pa-analyst-'));
  await writeFile(join(models, 'model.yml'), modelOf(cube));
  const model = await compileModel({ directory: models, tables: [dataset] });
  await rm(models, { recursive: true });
  const world: World = worldOf({
    connection,
    model,
    keys: {},
    timezone: 'UTC',
    now: new Date('2021-06-15T12:00:00Z'),
    cube: cube.name,
  });
  return { world, partOf: (member: string) => partOf(cube, member.split('.')[1] ?? '') };
}

function partOf({ measures, dimensions }: Cube, name: string) {
  const measure = measures.find(one => one.name === name);
  const column = (measure ?? dimensions.find(one => one.name === name))?.column?.name ?? '';
  const aggregates = { count: 'count', sum: 'sum', avg: 'mean' } as const;
  return { column, aggregate: measure ? aggregates[measure.type] : null };
}

function modelOf({ name, table, dimensions, measures }: Cube): string {
  const sql = (column: string) => JSON.stringify(`{CUBE}."${column}"`);
  const words = { count: '', sum: 'Total ', avg: 'Average ' } as const;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return [
    `cubes:\n  - name: ${name}\n    sql_table: ${table}\n    title: ${title}\n    dimensions:`,
    ...dimensions.map(
      one =>
        `      - { name: ${one.name}, sql: ${sql(one.column.name)}, type: ${one.column.type}, title: ${JSON.stringify(one.column.name)}${one.isKey ? ', primary_key: true, public: true' : ''} }`,
    ),
    '    measures:',
    ...measures.map(one =>
      one.column === null
        ? `      - { name: ${one.name}, type: count, title: ${title} }`
        : `      - { name: ${one.name}, sql: ${sql(one.column.name)}, type: ${one.type}, title: ${JSON.stringify(`${words[one.type]}${one.column.name}`)} }`,
    ),
    `    ${allRowsPolicy}`,
  ].join('\n');
}
