import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import {
  type CreateDashboardSubscription,
  createDashboardSubscription,
  type DashboardSubscription,
  deleteDashboardSubscription,
  listDashboardSubscriptions,
  sendDashboardSubscription,
} from '../../contract/embed-subscriptions.js';
import type { JsonObject } from '../../contract/wire.js';
import type { EmbedPrincipal } from '../auth/principal.js';
import { createViewerAuthentication, type DashboardViewer, requireDashboard } from '../content/dashboards/viewers.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact } from '../http/serve.js';
import { settleRun } from './deliveries.js';
import { mailboxOf } from './mail/mail-options.js';
import type { StoredNotification } from './notification-store.js';
import { startRun } from './run-store.js';
import { cronOf, isTimezone, nextRun, scheduleOf } from './schedule.js';
import * as store from './subscription-store.js';

/** Maximum number of subscriptions per viewer. */
const maxSubscriptions = 20;
const defaultWaitSeconds = 20;

/**
 * Mounts the routes for subscriptions of viewers to dashboards: notifications with their subscriber as the only
 * recipient.
 */
export function mountSubscriptions(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const reading = { ...deps, authenticate: createViewerAuthentication(deps) };

  serve(app, listDashboardSubscriptions, reading, async ({ principal }) => {
    const { scope } = requireSubscriber(principal);
    const items = await store.listSubscriptions(db, scope);
    return { email: mailboxOf(await store.findSubscriber(db, scope.subscriberId)), items: items.map(show) };
  });

  serve(app, createDashboardSubscription, reading, async ({ principal: viewer, request, params, body }) => {
    const { principal, deploymentId, scope } = requireSubscriber(viewer);
    const subscription = { deploymentId, ...scope, ...settingsOf(body, principal) };
    const target: JsonObject = { ...params };
    return transact(db, createDashboardSubscription.id, { principal, request, target }, async tx => {
      const count = await store.countSubscriptions(tx, scope.subscriberId);
      if (mailboxOf(await store.findSubscriber(tx, scope.subscriberId)) === null) {
        throw new PlatformError(403, 'A subscription requires an email address in the session.');
      }
      const { platform: _, ...securityContext } = principal.securityContext;
      const known = (await store.listSubscriptions(tx, scope)).find(each => isEqual(each, subscription));
      if (known) {
        await store.setSubscriberContext(tx, known.id, { securityContext });
        target.id = known.id;
        return show(known);
      }
      if (count >= maxSubscriptions) {
        throw new PlatformError(409, `You can have at most ${maxSubscriptions} subscriptions. End one of them first.`);
      }
      const created = await store.createSubscription(
        tx,
        {
          ...subscription,
          nextRunAt: nextRun(subscription.cronExpression, subscription.timezone, new Date()),
          isEnabled: true,
          notificationEnabled: true,
          notificationAiSummary: false,
        },
        { securityContext },
      );
      target.id = created.id;
      return show(created);
    });
  });

  serve(app, deleteDashboardSubscription, reading, async ({ principal: viewer, request, params }) => {
    const { principal, scope } = requireSubscriber(viewer);
    return transact(db, deleteDashboardSubscription.id, { principal, request, target: { ...params } }, async tx => {
      if (!(await store.lockSubscription(tx, scope, params.id))) throw notFound('Subscription');
      await store.endSubscription(tx, params.id, [scope.subscriberId]);
      return undefined;
    });
  });

  serve(app, sendDashboardSubscription, reading, async ({ principal: viewer, request, params, query }) => {
    const { principal, scope } = requireSubscriber(viewer);
    const target = { ...params };
    const run = await transact(db, sendDashboardSubscription.id, { principal, request, target }, async tx => {
      const found = await store.lockSubscription(tx, scope, params.id);
      if (!found) throw notFound('Subscription');
      const isRecent = await store.wasJustSent(tx, found.id);
      return isRecent ? null : startRun(tx, found.id, { scheduledAt: new Date(), trigger: 'test' });
    });
    if (!run) {
      throw new PlatformError(429, 'The subscription was sent within the last minute. Try again later.', {
        retryAfter: 60,
      });
    }
    const waitMs = (query.waitSeconds ?? defaultWaitSeconds) * 1000;
    const [delivery] = await settleRun(db, run, waitMs, request.signal);
    // A deactivated user receives no messages.
    return { state: delivery?.state ?? 'dead' };
  });
}

interface Subscriber {
  readonly principal: EmbedPrincipal;
  readonly deploymentId: number;
  readonly scope: store.SubscriptionScope;
}

/** Returns the subscriber of a request. @throws PlatformError 403 unless the session permits subscriptions; 404 */
function requireSubscriber(viewer: DashboardViewer): Subscriber {
  const { principal, isTenantUser } = viewer;
  if (principal.kind !== 'embed' || !isTenantUser) {
    throw new PlatformError(403, 'Subscriptions require an embed session of a user of an embed tenant.');
  }
  if (principal.settings.allowSubscriptions !== true) {
    throw new PlatformError(403, 'The session does not allow subscriptions. Mint it with settings.allowSubscriptions.');
  }
  const { id, deploymentId } = requireDashboard(viewer);
  return { principal, deploymentId, scope: { subscriberId: principal.userId, dashboardId: id } };
}

/** The stored settings that are compared to determine whether two subscriptions are equal. */
type Settings = Pick<
  StoredNotification,
  'cronExpression' | 'timezone' | 'locale' | 'notificationFormat' | 'filters' | 'memberSwitchers' | 'timeGrains'
>;

function settingsOf(body: CreateDashboardSubscription, { settings }: EmbedPrincipal): Settings {
  const { filters = null, memberSwitchers = null, timeGrains = null, notificationFormat, timezone, locale } = body;
  if (timezone != null && !isTimezone(timezone)) {
    throw new PlatformError(400, 'body.timezone: must be the name of a time zone, such as Europe/Berlin or UTC');
  }
  if (locale != null && !isLocale(locale)) throw new PlatformError(400, 'body.locale: must be a language, such as de');
  const zones = [timezone, settings.timezone].find(name => name != null && isTimezone(name));
  return {
    cronExpression: cronOf(body),
    timezone: zones ?? 'UTC',
    locale: [locale, settings.locale].find(name => name != null && isLocale(name)) ?? null,
    notificationFormat: notificationFormat ?? 'png',
    filters,
    memberSwitchers,
    timeGrains,
  };
}

function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    // `Intl` throws if the locale is not a valid language tag.
    return false;
  }
}

function isEqual(a: Settings, b: Settings): boolean {
  const keyOf = ({ filters, memberSwitchers, timeGrains, ...rest }: Settings) => [
    rest.cronExpression,
    rest.timezone,
    rest.locale,
    rest.notificationFormat,
    filters ?? [],
    memberSwitchers ?? [],
    timeGrains ?? [],
  ];
  return isDeepStrictEqual(keyOf(a), keyOf(b));
}

function show(subscription: StoredNotification): DashboardSubscription {
  const { id, cronExpression, timezone, notificationFormat, nextRunAt, createdAt } = subscription;
  const isEnabled = subscription.isEnabled && subscription.notificationEnabled;
  const listed = (items: readonly JsonObject[] | null) => items && [...items];
  return {
    id,
    ...scheduleOf(cronExpression),
    timezone,
    notificationFormat,
    filters: listed(subscription.filters),
    memberSwitchers: listed(subscription.memberSwitchers),
    timeGrains: listed(subscription.timeGrains),
    isEnabled,
    nextRunAt: isEnabled ? (nextRunAt?.toISOString() ?? null) : null,
    createdAt: createdAt.toISOString(),
  };
}
