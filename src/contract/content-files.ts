import * as z from 'zod/mini';
import { DashboardConfigInput } from './dashboard-input.js';
import { CreateReport } from './reports.js';
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
