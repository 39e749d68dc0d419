import { updateModelFiles } from '../../../src/contract/data-model.js';
import { exchangeSession, revokeSession } from '../../../src/contract/embed.js';
import { updateEmbedAccess } from '../../../src/contract/embed-access.js';
import { createDashboardComment } from '../../../src/contract/embed-comments.js';
import { generateSession } from '../../../src/contract/embed-grant.js';
import { createReport, deleteReport } from '../../../src/contract/reports.js';
import { startXformSync } from '../../../src/contract/transform-sync.js';
import { publishDashboard, updateWorkbook, upsertWorkbookBySlug } from '../../../src/contract/workbooks.js';
import { sessionKeyOf } from '../../../src/platform/auth/sessions.js';
import type { Answer } from '../test-platform.js';
import type { CrashHost } from './crash-host.js';
import { addVersion, changeWorkbook, crashFile, type Facts, placedReport, userFact } from './facts.js';

/** A write and its effect when it is applied. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Credential of the request; the admin key if not set. */
  readonly credential?: string;
  /** Operation name in the audit log. */
  readonly operation: string;
  /** Applies the complete effect of the write to the facts. */
  readonly effect: (facts: Facts) => void;
  /** Called with the response of an acknowledged write. */
  readonly learn?: (body: Answer['body']) => void;
}

const root = '/api/v1/deployments/1';
const reports = `${root}/reports`;
const workbooks = `${root}/workbooks`;
const once = '1';
const position = { x: 0, y: 0, w: 4, h: 3 };
const attribute = { name: 'lane', type: 'string' } as const;

/** Objects that a writer changes. */
interface Stock {
  /** Deployment with a repository. */
  readonly projectId: number;
  readonly main: number;
  readonly takers: readonly [number, number];
  readonly board: number;
  readonly publicId: string;
  readonly charted: number;
  readonly embedToken: string;
}

/** Performs a sequence of writes on separate objects. None of them may be rejected. */
export class Writer {
  /** Name of the writer, and of its branch. */
  readonly name: string;
  readonly #stock: Stock;
  /** Objects that a later write deletes. */
  #report: { readonly id: number; readonly label: string } | null = null;
  #minted: { readonly sessionId: string; readonly label: string } | null = null;
  #isShared = false;
  #holder = 0;

  private constructor(name: string, stock: Stock) {
    this.name = name;
    this.#stock = stock;
  }

  /** Creates the objects of a writer on a running platform. */
  static async open(host: CrashHost, index: number, projectId: number): Promise<Writer> {
    const name = `lane-${index}`;
    const bySlug = async (slug: string) => Number((await host.ok('PUT', `${workbooks}/by-slug/${slug}`, {})).id);
    const [main, holder, board] = [
      await bySlug(`main-${index}`),
      await bySlug(`taken-${index}`),
      await bySlug(`board-${index}`),
    ];
    const other = Number((await host.ok('POST', workbooks, {})).id);
    const report = {
      name: `charted-${index}`,
      jsonQuery: JSON.stringify({ measures: ['flights.count'], limit: 10 }),
      meta: { kind: 'vega', spec: { mark: 'bar', encoding: {} } },
    };
    const charted = Number((await host.ok('POST', reports, report)).id);
    const config = boardConfig('first', charted);
    const { publicId } = await host.ok('POST', `${workbooks}/${board}/publish`, { config, allowEmbed: true });
    await host.ok('PUT', `${workbooks}/${board}/embed-access`, { allEmbedUsers: true, action: 'read' });
    const { sessionId } = await host.ok('POST', '/api/v1/embed/generate-session', {
      deploymentId: 1,
      externalId: name,
      embedTenantName: name,
      creatorMode: true,
      userAttributeDefinitions: [attribute],
    });
    const { token } = await host.ok('POST', '/api/v1/embed/session/token', { sessionId });
    const takers = [holder, other] as const;
    await host.ok('POST', `/build/api/v1/deployments/${projectId}/branches`, { name });
    return new Writer(name, { projectId, main, takers, board, publicId, charted, embedToken: String(token) });
  }

  /**
   * Returns the next write, of any kind.
   * @param label - names the written content and the request.
   */
  next(label: string): Write {
    const kinds = [
      () => this.#placeReport(label),
      () => this.#dropReport() ?? this.#placeReport(label),
      () => this.#upsert(label),
      () => this.#takeSlug(label),
      () => this.#publish(label),
      () => this.#comment(label),
      () => this.#mint(label),
      () => this.#exchange() ?? this.#mint(label),
      () => this.#revoke() ?? this.#mint(label),
      () => this.#share(),
      () => this.#writeFile(label),
      () => this.#sync(label),
    ];
    const kind = kinds[Math.floor(Math.random() * kinds.length)];
    if (!kind) throw new Error('There is no such kind of write.');
    return kind();
  }

  #placeReport(label: string): Write {
    return {
      operation: createReport.id,
      method: 'POST',
      path: reports,
      body: { name: label, externalWorkbookId: `sheet of ${label}`, resultLocation: "'Sheet 1'!A1" },
      effect: facts => facts.set(`report ${label}`, placedReport),
      learn: ({ id }) => {
        this.#report = { id, label };
      },
    };
  }

  #dropReport(): Write | null {
    const report = this.#report;
    this.#report = null;
    return (
      report && {
        operation: deleteReport.id,
        method: 'DELETE',
        path: `${reports}/${report.id}`,
        effect: facts => facts.delete(`report ${report.label}`),
      }
    );
  }

  #upsert(label: string): Write {
    const { main } = this.#stock;
    return {
      operation: upsertWorkbookBySlug.id,
      method: 'PUT',
      path: `${workbooks}/by-slug/${this.name.replace('lane', 'main')}`,
      body: { name: label, meta: { [label]: true } },
      effect: facts => changeWorkbook(facts, main, ({ meta }) => ({ name: label, meta: [...meta, label] })),
    };
  }

  #takeSlug(label: string): Write {
    const slug = this.name.replace('lane', 'taken');
    this.#holder = 1 - this.#holder;
    const { takers } = this.#stock;
    const [taker, other] = this.#holder === 0 ? takers : [takers[1], takers[0]];
    return {
      operation: updateWorkbook.id,
      method: 'PUT',
      path: `${workbooks}/${taker}`,
      body: { slug, slugTakeover: true, name: label },
      effect: facts => {
        changeWorkbook(facts, other, () => ({ slug: null }));
        changeWorkbook(facts, taker, () => ({ slug, name: label }));
      },
    };
  }

  #publish(label: string): Write {
    const { board, charted } = this.#stock;
    return {
      operation: publishDashboard.id,
      method: 'POST',
      path: `${workbooks}/${board}/publish`,
      body: { config: boardConfig(label, charted) },
      effect: facts => addVersion(facts, board, label, 1),
    };
  }

  #comment(label: string): Write {
    const { publicId, embedToken } = this.#stock;
    return {
      operation: createDashboardComment.id,
      method: 'POST',
      path: `/api/v1/embed/dashboard/${publicId}/comments`,
      body: { body: label },
      credential: embedToken,
      effect: facts => facts.set(`comment ${label}`, once),
    };
  }

  #mint(label: string): Write {
    return {
      operation: generateSession.id,
      method: 'POST',
      path: '/api/v1/embed/generate-session',
      body: {
        deploymentId: 1,
        externalId: label,
        embedTenantName: this.name,
        groups: ['crashed'],
        userAttributes: [{ name: attribute.name, value: label }],
      },
      effect: facts => facts.set(`user ${label}`, userFact(this.name, label)).set(`session ${label}`, once),
      learn: ({ sessionId }) => {
        this.#minted = { sessionId, label };
      },
    };
  }

  #exchange(): Write | null {
    const minted = this.#takeMinted();
    return (
      minted && {
        operation: exchangeSession.id,
        method: 'POST',
        path: '/api/v1/embed/session/token',
        body: { sessionId: minted.sessionId },
        effect: facts => facts.delete(`session ${minted.label}`),
      }
    );
  }

  #revoke(): Write | null {
    const minted = this.#takeMinted();
    return (
      minted && {
        operation: revokeSession.id,
        method: 'POST',
        path: '/api/v1/embed/session/revoke',
        body: { sessionId: minted.sessionId },
        effect: facts => {
          facts.delete(`session ${minted.label}`);
          facts.set(`revoked ${sessionKeyOf(minted.sessionId)}`, once);
        },
      }
    );
  }

  /** Returns and removes a minted session, because the outcome of a write with it may be unknown. */
  #takeMinted() {
    const minted = this.#minted;
    this.#minted = null;
    return minted;
  }

  #share(): Write {
    this.#isShared = !this.#isShared;
    const isShared = this.#isShared;
    const { main } = this.#stock;
    return {
      operation: updateEmbedAccess.id,
      method: 'PUT',
      path: `${workbooks}/${main}/embed-access`,
      body: { embedTenantName: this.name, action: isShared ? 'read' : 'none' },
      effect: facts => {
        if (isShared) facts.set(`shares ${main}`, `system:tenant:${this.name}`);
        else facts.delete(`shares ${main}`);
      },
    };
  }

  #writeFile(label: string): Write {
    const content = `# ${label}\n`;
    return {
      operation: updateModelFiles.id,
      method: 'PUT',
      path: `/build/api/v1/deployments/${this.#stock.projectId}/data-model/files`,
      body: { branchName: this.name, files: [{ path: crashFile, content }] },
      effect: facts => facts.set(`file ${this.name}`, content),
    };
  }

  #sync(label: string): Write {
    return {
      operation: startXformSync.id,
      method: 'POST',
      path: `${root}/xform-sync`,
      body: { branchName: label },
      effect: facts => facts.set(`sync ${label}`, once),
    };
  }
}

function boardConfig(title: string, reportId: number) {
  return { title, widgets: [{ id: 'tile', type: 'CHART', position, config: { reportId } }] };
}
