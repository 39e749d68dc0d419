import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CleanupStack } from '../../src/platform/runtime/cleanup-stack.js';
import { findBrowser } from '../browser.js';
import { type Bench, type Figure, tableOf } from './figures.js';

const help = `Measures the package and prints the results with their targets. Asserts nothing, because machines differ.

  npm run bench -- [options] [page] [dashboard] [editor] [data] [sql] [chat] [analyst] [platform] [people] [build] [export]

  page           load time of the demo page, and size added to a host page
  dashboard      24 tiles compared with vega-embed, large charts, memory leaks
  editor         the editor: frames while a tile is dragged, preview of a query
  data           the Data API compared with its engine, cached, under load
  sql            semantic SQL compared with the engine, a slow client, parsing
  chat           runs both:
  chat-page      the chat element compared with a peer and plain text
  chat-service   the Chat API under load
  analyst        the built-in analyst on a public question set (folder in PA_ANALYST_QUESTIONS), and a language model if PA_LLM_BASE_URL and PA_LLM_MODEL name one
  platform       the Platform API: reads, sessions, a long list, races, kill -9, start time and memory
  people         SCIM provisioning, a list of 100,000 users, deactivation across two processes, sign-in
  build          branches of a model with 100 cubes: validation, first query, list with differences, memory
  export         dashboards and reports as files: time and memory
  export-notifications
                 a notification for 1,000 recipients: renderings, mails per second
  --profile DIR  write CPU profiles of the measured platform, which slows it down
  --help         show this help

Runs all benchmarks by default. Requires a build.`;

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  page: async () => (await import('./page-figures.js')).pageFigures,
  dashboard: async () => (await import('./dashboard/dashboard.js')).dashboardFigures,
  editor: async () => (await import('./editor.js')).editorFigures,
  data: async () => (await import('./data.js')).dataFigures,
  sql: async () => (await import('./sql.js')).sqlFigures,
  'chat-page': async () => (await import('./chat.js')).chatPageFigures,
  analyst: async () => (await import('./analyst/analyst.js')).analystFigures,
  platform: async () => (await import('./platform/platform.js')).platformFigures,
  people: async () => (await import('./people.js')).peopleFigures,
  build: async () => (await import('./build.js')).buildFigures,
  export: async () => (await import('./export.js')).exportFigures,
  'export-notifications': async () => (await import('./notifications.js')).notificationFigures,
  'chat-service': async () => (await import('./chat-service.js')).chatServiceFigures,
};

/** Returns true if `name` is the name of a benchmark or of its family (prefix). */
const isOf = (bench: string, name: string): boolean => bench === name || bench.startsWith(`${name}-`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { profile: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find(name => !Object.keys(benches).some(bench => isOf(bench, name)));
  if (unknown !== undefined)
    throw new Error(`Unknown benchmark "${unknown}". Choose from ${Object.keys(benches).join(', ')}.`);
  process.env.CHROME_PATH = findBrowser();
  const cleanUp = new CleanupStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp.run().finally(() => process.exit(1)));
  }
  const profileDirectory = values.profile === undefined ? null : resolve(values.profile);
  const figures: Figure[] = [];
  try {
    for (const [bench, load] of Object.entries(benches)) {
      if (positionals.length > 0 && !positionals.some(name => isOf(bench, name))) continue;
      const measure = await load();
      const options = {
        note: console.error,
        onStop: (step: () => Promise<void>) => cleanUp.add(step),
        profileDirectory,
      };
      for await (const figure of measure(options)) {
        console.error(`  ${figure.what}: ${figure.measured}`);
        figures.push(figure);
      }
    }
  } finally {
    await cleanUp.run();
  }
  console.log(`\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}\n\n${tableOf(figures)}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
