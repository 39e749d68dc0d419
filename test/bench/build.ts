import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, memoryOf } from './chat-streams.js';
import { firstQuery, largeModelFiles } from './data-large-model.js';
import { startPlatform } from './data-platform.js';
import { type BenchOptions, type Figure, median, millis } from './figures.js';
import { Host } from './platform/host.js';

const samples = 9;
const listedBranches = 50;
const openBranches = 20;
const changedFile = 'model/cubes/cube_50.yml';

/** Edits, validates, lists and queries branches of a model with 100 cubes in a deployment with a repository. */
export async function* buildFigures({ note, onStop, profileDirectory }: BenchOptions): AsyncGenerator<Figure, void> {
  const data = await mkdtemp(join(tmpdir(), 'pa-bench-build-'));
  onStop(() => rm(data, { recursive: true, force: true }));
  const platform = await startPlatform({ data, profileDirectory, onStop });
  note('build: creating a deployment with 100 cubes');
  const model = await BenchModel.create(new Host(platform), data);
  yield await validation(model, platform.pid);
  yield* firstQueries(model, platform.pid);
  yield await list(model);
  await platform.stop();
}

/** A deployment whose production model has 100 cubes. */
class BenchModel {
  readonly #host: Host;
  readonly #id: number;
  readonly #files = largeModelFiles();

  private constructor(host: Host, id: number) {
    this.#host = host;
    this.#id = id;
  }

  static async create(host: Host, data: string): Promise<BenchModel> {
    const { id } = await host.call('POST', '/build/api/v1/deployments', { name: 'build' });
    const rows = ['date,origin,destination,delay,distance', '2001-02-01,ATL,JFK,5,760', '2001-02-02,JFK,ATL,0,760'];
    await writeFile(join(data, 'deployments', String(id), 'sources', 'flights.csv'), `${rows.join('\n')}\n`);
    const model = new BenchModel(host, id);
    const files = [...model.#files].map(([path, content]) => ({ path, content }));
    await model.call('POST', 'branches', { name: 'first' });
    await model.call('PUT', 'data-model/files', { branchName: 'first', files });
    await model.call('POST', 'commit', { branchName: 'first' });
    await model.call('POST', 'merge-to-default', { branchName: 'first', message: 'm', removeBranchAfterMerge: true });
    return model;
  }

  call(method: string, path: string, body?: unknown) {
    return this.#host.call(method, `/build/api/v1/deployments/${this.#id}/${path}`, body);
  }

  /** Replaces a text of a file on a branch. */
  async write(branchName: string, from: string, to: string): Promise<void> {
    const content = this.#files.get(changedFile)?.replace(from, to);
    await this.call('PUT', 'data-model/files', { branchName, files: [{ path: changedFile, content }] });
  }

  /** Runs the first query of a branch. Returns its time in milliseconds. */
  async query(branchName: string): Promise<number> {
    const securityContext = { airport: 'ATL' };
    const grant = { deploymentId: this.#id, externalId: 'bench', branchName, securityContext };
    const { sessionId } = await this.#host.call('POST', '/api/v1/embed/generate-session', grant);
    const { token } = await this.#host.call('POST', '/api/v1/embed/session/token', { sessionId });
    const session = new Host({ url: this.#host.url, adminKey: token });
    const { platformApiToken } = await session.call('POST', `/api/v1/deployments/${this.#id}/token`, {});
    const address = `${this.#host.url}/deployments/${this.#id}/data-api/v1/load`;
    const headers = { authorization: platformApiToken, 'content-type': 'application/json' };
    const begun = performance.now();
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ query: firstQuery }) });
    const { error } = await response.json();
    if (error !== undefined) throw new Error(`The query of ${branchName} failed: ${error}`);
    return performance.now() - begun;
  }
}

async function validation(model: BenchModel, pid: number): Promise<Figure> {
  const branchName = 'edited';
  await model.call('POST', 'branches', { name: branchName });
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const cpuBefore = cpuOf(pid);
    const begun = performance.now();
    await model.write(branchName, '{CUBE}.delay', `{CUBE}.missing_${sample}`);
    const { errors } = await model.call('GET', `data-model/validate?branchName=${branchName}`);
    times.push(performance.now() - begun);
    cpuTimes.push(cpuOf(pid) - cpuBefore);
    if (errors.length === 0) throw new Error('The validation found no error.');
  }
  return {
    what: 'writing a file of a model with 100 cubes, and validating it until the error is returned; CPU of the platform',
    measured: `${millis(median(times))}; ${millis(median(cpuTimes))}`,
    aim: '500 ms',
  };
}

async function* firstQueries(model: BenchModel, pid: number): AsyncGenerator<Figure, void> {
  // Opens the engine and compiles the code of the compiler.
  await model.call('POST', 'branches', { name: 'warm' });
  await model.query('warm');
  const before = memoryOf(pid);
  const times: number[] = [];
  for (let index = 0; index < openBranches; index++) {
    const name = `open-${index}`;
    await model.call('POST', 'branches', { name });
    await model.write(name, 'name: largest', `name: largest_${index}`);
    times.push(await model.query(name));
  }
  const after = memoryOf(pid);
  yield {
    what: 'first query on a new branch of a model with 100 cubes',
    measured: millis(median(times)),
    aim: '3,000 ms',
  };
  yield {
    what: `memory growth after the first queries of ${openBranches} branches`,
    measured: before === null || after === null ? 'unknown' : `${Math.round(after - before)} MB`,
    aim: '300 MB',
  };
}

/** Measures the list of branches, and the differences of all of them to production. */
async function list(model: BenchModel): Promise<Figure> {
  const branches = (await model.call('GET', 'branches')).items.length - 1;
  for (let index = branches; index < listedBranches; index++) {
    const name = `listed-${index}`;
    await model.call('POST', 'branches', { name });
    await model.write(name, 'name: largest', `name: largest_${index}`);
  }
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const begun = performance.now();
    const { items } = await model.call('GET', 'branches?withDiff=true');
    times.push(performance.now() - begun);
    if (items.filter(({ diff }: { diff?: object }) => diff).length < listedBranches)
      throw new Error('A diff is missing.');
  }
  return {
    what: `listing ${listedBranches} branches with the files that each has changed; the first time`,
    measured: `${millis(median(times))}; ${millis(times[0] ?? Number.NaN)}`,
    aim: '300 ms',
  };
}
