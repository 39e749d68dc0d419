import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { ChatService, ChatTarget } from '../../controllers/chat/chat-controller.js';
import { LocaleController } from '../../controllers/locale-controller.js';
import { AccountController } from '../../controllers/session/account-controller.js';
import { PreferencesController } from '../../controllers/session/preferences-controller.js';
import { SessionController } from '../../controllers/session/session-controller.js';
import { chatTranslations, defineCatalog } from '../messages/define-catalog.js';
import { chatMessages } from './chat-messages.js';

const chatCatalog = defineCatalog(chatMessages, chatTranslations('chat'));

/**
 * Base class of `<pa-chat>`: the properties and controllers that determine which agent answers, with which session, in
 * which language, and whether rows may be downloaded.
 */
export abstract class ChatConnectionElement extends LitElement {
  protected readonly sessionController = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: null }),
    source: () => this.sessionController.source,
  });
  /** Provides the account's settings. A chat without a dashboard loads them when it is opened. */
  readonly #account = new AccountController(this, () =>
    this.wasOpened || this.htmlFor ? this.sessionController.source : null,
  );
  protected readonly localeController = new LocaleController(this, chatCatalog, () => this.#preferences.locale);

  /**
   * Id of a `<pa-dashboard>` in the same document or shadow root. Messages refer to this dashboard with the current
   * values of its controls, and the menus of its tiles offer "Ask about this tile". If `showDashboardChat` of the
   * session or of the account is `false`, the chat sets its attribute `hidden`. For the id of a `<pa-workbook>`,
   * `showWorkbookChat` does this instead, and messages do not refer to the draft.
   */
  @property({ attribute: 'for' }) htmlFor: string | null = null;
  /** Name of the account that owns the agent. */
  @property() account = '';
  /** Id of the agent. */
  @property({ attribute: 'agent-id' }) agentId: string | null = null;
  /** Deployment whose agent answers if `agent-id` is not set. */
  @property({ attribute: 'deployment-id' }) deploymentId: string | null = null;
  /** URL of the Chat API, if the platform does not serve it. Default: the value of the enclosing `<pa-session>`. */
  @property({ attribute: 'ai-url' }) aiUrl: string | null = null;
  /**
   * URL of the host's proxy (`chatProxyHandler`), which calls the Chat API for the signed-in user. Used instead of a
   * session.
   */
  @property({ attribute: 'proxy-url' }) proxyUrl: string | null = null;
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
  /** Hides all downloads and copies of rows, even if the session allows them. */
  @property({ attribute: 'restrict-download', type: Boolean }) restrictDownload = false;
  /**
   * Allows downloads of rows if the chat uses `proxy-url` or `service`, and therefore has no session that could allow
   * them.
   */
  @property({ attribute: 'allow-download', type: Boolean }) allowDownload = false;
  /** The host's own implementation of the Chat API. Used instead of a session and URLs. */
  @property({ attribute: false }) service: ChatService | null = null;

  /** Whether the chat has been visible at least once. Before that, it sends no requests of the Chat API. */
  protected abstract get wasOpened(): boolean;

  /**
   * Whether a setting of the session, or else of the account, hides the chat: `showWorkbookChat` if `for` names an
   * editor, otherwise `showDashboardChat`.
   */
  protected get isHiddenBySettings(): boolean {
    const { source } = this.sessionController;
    if (!this.htmlFor || this.service || this.proxyUrl) return false;
    const setting = this.#isForWorkbook ? 'showWorkbookChat' : 'showDashboardChat';
    return (source?.settings?.[setting] ?? this.#account.config?.embedding?.[setting]) === false;
  }

  get #isForWorkbook(): boolean {
    const root = this.getRootNode();
    const found =
      root instanceof Document || root instanceof ShadowRoot ? root.getElementById(this.htmlFor ?? '') : null;
    return found?.localName === 'pa-workbook';
  }

  /**
   * Whether downloads are restricted. They are, unless the session allows them or, without a session, the host allows
   * them.
   */
  protected get isRestricted(): boolean {
    if (this.restrictDownload) return true;
    if (this.service || this.proxyUrl) return !this.allowDownload;
    return this.#account.config?.restrictDataDownload !== false;
  }

  protected get target(): ChatTarget {
    const { account, agentId, deploymentId, proxyUrl } = this;
    const aiUrl = this.aiUrl ?? this.sessionController.source?.aiUrl ?? null;
    const absolute = (address: string | null): string | null =>
      address && URL.canParse(address, this.baseURI) ? new URL(address, this.baseURI).href : address;
    return { account, agentId, deploymentId, aiUrl: absolute(aiUrl), proxyUrl: absolute(proxyUrl) };
  }
}
