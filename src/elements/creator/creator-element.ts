import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Creator, creatorOf } from '../../controllers/creator/creator.js';
import { ThemeController } from '../../controllers/dashboard/theme-controller.js';
import { LocaleController } from '../../controllers/locale-controller.js';
import type { Problem } from '../../controllers/problem.js';
import { AccountController } from '../../controllers/session/account-controller.js';
import { PreferencesController } from '../../controllers/session/preferences-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { SessionController } from '../../controllers/session/session-controller.js';
import { PaErrorEvent } from '../../controllers/session/session-events.js';
import type { DashboardTheme } from '../../report/theme/theme.js';
import { isSessionBlank, notice, sessionNotice } from '../parts/notice.js';
import { retryLoad } from '../parts/retry-load.js';
import { skeleton } from '../parts/skeleton.js';
import { creatorCatalog } from './creator-catalog.js';

/** Properties of the inner element of a creator element. */
export interface CreatorView {
  readonly source: SessionSource;
  readonly creator: Creator;
  readonly locale: string;
  readonly timezone: string | null;
}

/**
 * Base class of the elements in which users build dashboards. It shows its inner element, and loads its code, only in
 * sessions with creator mode.
 */
export abstract class CreatorElement extends LitElement {
  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: this.timezone }),
    source: () => this.#session.source,
    account: () => this.accountController.config,
  });
  protected readonly accountController = new AccountController(this, () => this.#session.source);
  readonly #theme = new ThemeController(this, {
    source: () => this.#session.source,
    own: () => this.theme,
    dashboard: () => null,
    account: () => this.accountController.config,
  });
  protected readonly localeController = new LocaleController(this, creatorCatalog, () => this.#preferences.locale);

  /** URL of the host's endpoint that creates a session. Used if there is no enclosing `<pa-session>`. */
  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  /** Function that returns a session id, instead of `session-url`. */
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  /** URL of the platform; required with `session-url` or `session`. */
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  /** Path of the Data API below the deployment's URL. Default: `/data-api`, or the dialect's path. */
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;
  /** Dialect of the service's API: `neutral` (default), or `cube` for the cloud service, which uses other names. */
  @property() dialect: 'neutral' | 'cube' | null = null;
  /**
   * Language (BCP 47). Takes precedence over the enclosing `<pa-session>`, the session setting and the nearest `lang`.
   */
  @property() locale: string | null = null;
  /** IANA time zone of the queries. Takes precedence over the enclosing `<pa-session>` and the settings. */
  @property() timezone: string | null = null;
  /**
   * Theme of this element, with the keys of a dashboard theme (`DashboardThemeInput`). The page's `--pa-*` properties
   * take precedence over it.
   */
  @property({ attribute: false }) theme: DashboardTheme | null = null;

  /** The code of the inner element. */
  @state() private code: 'waiting' | 'loading' | 'ready' | 'failed' = 'waiting';

  /** Whether an inner element shows the state of the session. */
  protected get isSessionShown(): boolean {
    return false;
  }

  /** Loads the inner element. */
  protected abstract loadView(): Promise<unknown>;
  /** Renders the inner element. */
  protected abstract renderView(view: CreatorView): TemplateResult;

  protected override willUpdate(): void {
    if (this.code === 'waiting' && creatorOf(this.#session.source)) void this.#loadCode();
  }

  override render(): TemplateResult {
    const { dir, lang } = this.localeController;
    const isBlank = isSessionBlank(this.#session.source) || this.#theme.pending;
    return html`<div class=${isBlank ? 'frame blank' : 'frame'} dir=${dir ?? nothing} lang=${lang ?? nothing}>
      ${this.#renderContent()}
    </div>`;
  }

  #renderContent(): TemplateResult {
    const { messages, locale } = this.localeController.value;
    const { source } = this.#session;
    const problem = sessionNotice(source, messages);
    const creator = creatorOf(source);
    if (!source || !creator) {
      if (problem) return this.#renderPanel(problem);
      return source?.identity ? this.#renderPanel(notice(messages.viewOnly)) : this.#renderSkeleton();
    }
    if (this.code === 'failed') {
      const retry = { label: messages.retry, run: () => void this.#loadCode() };
      return this.#renderPanel(notice(messages.notLoaded, retry));
    }
    if (this.code !== 'ready') return this.#renderSkeleton();
    const { timezone } = this.#preferences;
    return html`${problem && !this.isSessionShown ? html`<div class="panel banner">${problem}</div>` : nothing}
    ${this.renderView({ source, creator, locale, timezone })}`;
  }

  #renderSkeleton(): TemplateResult {
    return html`<div class="panel delayed">${skeleton('rows')}</div>`;
  }

  #renderPanel(content: TemplateResult): TemplateResult {
    return html`<div class="panel">${content}</div>`;
  }

  /** Dispatches a problem as `pa-error`. */
  protected readonly handleProblem = (problem: Problem): void => {
    this.dispatchEvent(new PaErrorEvent(problem));
  };

  async #loadCode(): Promise<void> {
    this.code = 'loading';
    try {
      await retryLoad(() => this.loadView());
      this.code = 'ready';
    } catch {
      // Show the notice, which offers to retry.
      this.code = 'failed';
    }
  }
}
