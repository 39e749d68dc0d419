import * as z from 'zod/mini';
import { GroupDescription, GroupName } from './account-groups.js';
import { ContentOwner } from './content-batches.js';
import { DashboardConfigInput } from './dashboard-input.js';
import { EnvVariableInput } from './env-variables.js';
import { NotificationRecipientInput } from './notification-recipients.js';
import { CreateNotification, CronExpression, UpdateNotification } from './notifications.js';
import { CreateReport } from './reports.js';
import { PolicyInput, policyEffects, RoleDescription, RoleName } from './roles.js';
import { EmbedTenantName, JsonObject } from './wire.js';

// Formats of content files, which `pa-platform apply` reads and `pa-platform export` writes. The CLI converts them to
// API requests; they are not sent directly.

const Name = z.string().check(z.minLength(1), z.maxLength(255));

/** Path of a folder, from the root; empty for the root itself. */
const FolderNames = z.array(Name).check(z.maxLength(10));

const audiences = {
  allEmbedUsers: z.optional(z.boolean()),
  tenants: z.optional(z.array(EmbedTenantName).check(z.maxLength(10_000))),
};

/**
 * Embed users who can see the published content of a folder and its subfolders. `tenants` lists the tenants that are
 * granted access individually.
 */
const AudiencesFile = z.strictObject(audiences);
/** Embed users who can see a published dashboard. */
const EmbedAccessFile = z.strictObject({ allowEmbed: z.optional(z.boolean()), ...audiences });
/** Embed users who can see a published dashboard, as listed in a file. Folders have no `allowEmbed`. */
export type EmbedAccessFile = z.infer<typeof EmbedAccessFile>;

/** A folder, identified by its name. Siblings are ordered as in the list. */
export interface FolderFile {
  readonly name: string;
  readonly embedAccess?: Omit<EmbedAccessFile, 'allowEmbed'> | undefined;
  readonly folders?: readonly FolderFile[] | undefined;
}

const FolderFile: z.ZodMiniType<FolderFile> = z.strictObject({
  name: Name,
  embedAccess: z.optional(AudiencesFile),
  get folders() {
    return z.optional(z.array(FolderFile).check(z.maxLength(1000)));
  },
});

/** `folders.yml`: the folder tree. */
export const FoldersFile = z.strictObject({ folders: z.array(FolderFile).check(z.maxLength(1000)) });

const report = CreateReport.shape;

/** `reports/<publicId>.yml`. Omitted fields stay unchanged. `query` is a load query, and `workbook` is a slug. */
export const ReportFile = z.strictObject({
  name: z.optional(Name),
  title: report.title,
  folder: z.optional(FolderNames),
  workbook: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  source: report.source,
  query: z.optional(JsonObject),
  sqlQuery: report.sqlQuery,
  pivotItems: report.pivotItems,
  meta: report.meta,
});
/** A report in a file. */
export type ReportFile = z.infer<typeof ReportFile>;

/** How a workbook's dashboard is published. `dashboard` is set if the published version differs from the draft. */
const Publication = z.strictObject({
  title: z.optional(z.string().check(z.maxLength(255))),
  description: z.optional(z.string().check(z.maxLength(10_000))),
  dashboard: z.optional(DashboardConfigInput),
});

/**
 * `workbooks/<slug>.yml`. Omitted fields stay unchanged. A widget references its report as `config.report`, by its
 * `publicId`.
 */
export const WorkbookFile = z.strictObject({
  name: z.optional(Name),
  folder: z.optional(FolderNames),
  meta: z.optional(JsonObject),
  dashboard: z.optional(DashboardConfigInput),
  publish: z.optional(z.union([z.literal(true), Publication])),
  embedAccess: z.optional(EmbedAccessFile),
});
/** A workbook in a file. */
export type WorkbookFile = z.infer<typeof WorkbookFile>;

/** `content.yml`: the name of the folder of files, which owns the objects that it creates. */
export const OwnerFile = z.strictObject({ owner: ContentOwner });

/**
 * A resource of a policy: `All`, the id of the platform, or a name: the `publicId` of a report, the slug of a workbook
 * or of the workbook of a dashboard, the path of a folder, or `this` for the deployment of the files.
 */
const PolicyResource = z.union([z.string().check(z.minLength(1), z.maxLength(255)), z.int(), FolderNames]);
/** A resource of a policy in a file. */
export type PolicyResource = z.infer<typeof PolicyResource>;

/** A custom role in `roles.yml`, identified by its name. `policies` is the complete list. */
const RoleFile = z.strictObject({
  name: RoleName,
  description: z.optional(RoleDescription),
  policies: z.optional(
    z
      .array(
        z.strictObject({
          ...PolicyInput.shape,
          effect: z.optional(z.enum(policyEffects)),
          resources: z.array(PolicyResource).check(z.minLength(1), z.maxLength(1000)),
        }),
      )
      .check(z.maxLength(200)),
  ),
});
/** A custom role in a file. */
export type RoleFile = z.infer<typeof RoleFile>;
/** `roles.yml`: custom roles of the account. */
export const RolesFile = z.strictObject({ roles: z.array(RoleFile).check(z.maxLength(1000)) });

/**
 * A group of the account in `groups.yml`, identified by its name. `role` is the name of a role; empty if there is none.
 */
const GroupFile = z.strictObject({
  name: GroupName,
  description: z.optional(GroupDescription),
  role: z.optional(z.string().check(z.maxLength(255))),
});
/** A group of the account in a file. */
export type GroupFile = z.infer<typeof GroupFile>;
/** `groups.yml`: groups of the account. */
export const GroupsFile = z.strictObject({ groups: z.array(GroupFile).check(z.maxLength(10_000)) });

/** `variables.yml`: names of environment variables of the deployment. Files never contain values. */
export const VariablesFile = z.strictObject({
  variables: z.array(EnvVariableInput.shape.name).check(z.maxLength(1000)),
});

/** Reference to an environment variable of the process that applies the files. */
const variableReference = /^\$\{[A-Z][A-Z0-9_]{0,99}\}$/;

const recipient = NotificationRecipientInput.shape;

/** A recipient of a notification in a file. The URL of a webhook is a secret, so that it is a reference. */
const RecipientFile = z.strictObject({
  type: recipient.type,
  email: z.optional(z.string().check(z.maxLength(255))),
  embedTenantName: z.optional(EmbedTenantName),
  externalId: recipient.externalId,
  groups: recipient.groups,
  userAttributes: recipient.userAttributes,
  securityContext: recipient.securityContext,
  channelId: recipient.channelId,
  channelName: recipient.channelName,
  url: z.optional(
    z
      .string()
      .check(
        z.regex(
          variableReference,
          'must be a reference to an environment variable in the form $ and {NAME}, because it is a secret',
        ),
      ),
  ),
});
/** A recipient of a notification in a file. */
export type RecipientFile = z.infer<typeof RecipientFile>;

const notification = CreateNotification.shape;

/** Condition and control values of a notification, in a response of the platform and in a file. */
export const NotificationValues = z.object({
  alert: notification.alert,
  filters: notification.filters,
  memberSwitchers: notification.memberSwitchers,
  timeGrains: notification.timeGrains,
});

/**
 * `notifications/<name>.yml`. Omitted fields stay unchanged. `dashboard` is the slug of the workbook, `schedule` is a
 * cron expression, and `recipients` is the complete list.
 */
export const NotificationFile = z.strictObject({
  dashboard: z.string().check(z.minLength(1), z.maxLength(255)),
  schedule: z.optional(CronExpression),
  timezone: notification.timezone,
  isEnabled: UpdateNotification.shape.isEnabled,
  notificationEnabled: notification.notificationEnabled,
  notificationAiSummary: notification.notificationAiSummary,
  notificationFormat: notification.notificationFormat,
  ...NotificationValues.shape,
  recipients: z.optional(z.array(RecipientFile).check(z.maxLength(1000))),
});
/** A notification in a file. */
export type NotificationFile = z.infer<typeof NotificationFile>;
