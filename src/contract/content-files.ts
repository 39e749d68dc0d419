import * as z from 'zod/mini';
import { DashboardConfigInput } from './dashboard-input.js';
import { CreateReport } from './reports.js';
import { EmbedTenantName, JsonObject } from './wire.js';

// Content as files: what `pa-platform apply` reads and `pa-platform export` writes. Not sent as it is: what travels is made of it.

const Name = z.string().check(z.minLength(1), z.maxLength(255));

/** The way to a folder, root first; empty for the root itself. */
const FolderNames = z.array(Name).check(z.maxLength(10));

const audiences = {
  allEmbedUsers: z.optional(z.boolean()),
  tenants: z.optional(z.array(EmbedTenantName).check(z.maxLength(10_000))),
};

/** Who may see what is published in a folder, at any depth; `tenants` are all that may by themselves. */
const AudiencesFile = z.strictObject(audiences);
/** Who may see a published dashboard. */
const EmbedAccessFile = z.strictObject({ allowEmbed: z.optional(z.boolean()), ...audiences });
/** Who may see a published dashboard, as a file has it; of a folder, `allowEmbed` is not there. */
export type EmbedAccessFile = z.infer<typeof EmbedAccessFile>;

/** A folder, by its name among its siblings, which stand in the order of the list. */
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

/** `folders.yml`: the tree of folders. */
export const FoldersFile = z.strictObject({ folders: z.array(FolderFile).check(z.maxLength(1000)) });

const report = CreateReport.shape;

/** `reports/<publicId>.yml`: what is left out stays as it is. `query` is the load query, `workbook` a slug. */
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
/** A report as its file has it. */
export type ReportFile = z.infer<typeof ReportFile>;

/** How the dashboard of a workbook is published; `dashboard` where that is not the draft. */
const Publication = z.strictObject({
  title: z.optional(z.string().check(z.maxLength(255))),
  description: z.optional(z.string().check(z.maxLength(10_000))),
  dashboard: z.optional(DashboardConfigInput),
});

/** `workbooks/<slug>.yml`: what is left out stays as it is. A widget names its report as `config.report`, by its `publicId`. */
export const WorkbookFile = z.strictObject({
  name: z.optional(Name),
  folder: z.optional(FolderNames),
  meta: z.optional(JsonObject),
  dashboard: z.optional(DashboardConfigInput),
  publish: z.optional(z.union([z.literal(true), Publication])),
  embedAccess: z.optional(EmbedAccessFile),
});
/** A workbook as its file has it. */
export type WorkbookFile = z.infer<typeof WorkbookFile>;
