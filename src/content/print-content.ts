import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import type {
  FolderFile,
  GroupFile,
  NotificationFile,
  ReportFile,
  RoleFile,
  WorkbookFile,
} from '../contract/content-files.js';
import type { NamedDashboard } from './content.js';
import { encodeName } from './read-content.js';

/** Content to write: the objects of a deployment by the names of their files. */
export interface PrintedContent {
  readonly folders?: readonly FolderFile[];
  readonly reports?: ReadonlyMap<string, ReportFile>;
  readonly workbooks?: ReadonlyMap<string, WorkbookFile>;
  readonly notifications?: ReadonlyMap<string, NotificationFile>;
  readonly roles?: readonly RoleFile[];
  readonly groups?: readonly GroupFile[];
  readonly variables?: readonly string[];
}

/** Maximum length of a map or list that is written on one line, in characters. */
const maxLineLength = 100;

const order = {
  folder: ['name', 'embedAccess', 'folders'],
  report: ['name', 'title', 'folder', 'workbook', 'source', 'query', 'sqlQuery', 'pivotItems', 'meta'],
  reportMeta: ['kind', 'spec', 'preferences', 'fillMissingRows', 'periodComparisons'],
  workbook: ['name', 'folder', 'meta', 'dashboard', 'publish', 'embedAccess'],
  publish: ['title', 'description', 'dashboard'],
  dashboard: ['kind', 'title', 'description', 'layout', 'theme', 'settings', 'app', 'widgets'],
  layout: ['breakpoints', 'cols', 'margin', 'containerPadding', 'rowHeight'],
  widget: ['id', 'type', 'position', 'responsiveLayouts', 'config', 'style'],
  position: ['x', 'y', 'w', 'h'],
  breakpoints: ['lg', 'md', 'sm', 'xs', 'xxs'],
  notification: ['dashboard', 'schedule', 'timezone', 'isEnabled'],
  recipient: ['type', 'email', 'embedTenantName', 'externalId', 'channelId', 'channelName', 'url'],
  role: ['name', 'description', 'policies'],
  policy: ['resourceType', 'resources', 'actions', 'effect'],
  group: ['name', 'description', 'role'],
} as const;

/**
 * Serializes content in canonical form: equal content produces equal text. Known keys have a fixed order; keys of
 * free-form JSON are unchanged.
 * @returns file contents by path inside the folder.
 */
export function printContent(content: PrintedContent): Map<string, string> {
  const { folders = [], reports = [], workbooks = [], notifications = [] } = content;
  const { roles = [], groups = [], variables = [] } = content;
  const files = new Map<string, string>();
  if (roles.length > 0) files.set('roles.yml', printAsBlocks({ roles: roles.map(orderRole) }));
  if (groups.length > 0)
    files.set('groups.yml', printAsBlocks({ groups: groups.map(group => sortKeys(group, order.group)) }));
  if (variables.length > 0) files.set('variables.yml', printAsBlocks({ variables }));
  if (folders.length > 0) files.set('folders.yml', print({ folders: folders.map(orderFolder) }));
  for (const [publicId, report] of reports) files.set(reportPath(publicId), print(orderReport(report)));
  for (const [slug, workbook] of workbooks) files.set(workbookPath(slug), print(orderWorkbook(workbook)));
  for (const [name, notification] of notifications)
    files.set(notificationPath(name), printAsBlocks(orderNotification(notification)));
  return files;
}

/** Returns the path of the file of a report. */
export function reportPath(publicId: string): string {
  return `reports/${publicId}.yml`;
}

/** Returns the path of the file of a workbook. */
export function workbookPath(slug: string): string {
  return `workbooks/${encodeName(slug)}.yml`;
}

/** Returns the path of the file of a notification. */
export function notificationPath(name: string): string {
  return `notifications/${encodeName(name)}.yml`;
}

function orderFolder({ folders, ...rest }: FolderFile): object {
  const inner = folders && folders.length > 0 && { folders: folders.map(orderFolder) };
  return sortKeys({ ...rest, ...inner }, order.folder);
}

function orderReport({ meta, ...rest }: ReportFile): object {
  return sortKeys({ ...rest, ...(meta && { meta: sortKeys(meta, order.reportMeta) }) }, order.report);
}

function orderWorkbook({ dashboard, publish, ...rest }: WorkbookFile): object {
  const published =
    typeof publish === 'object'
      ? sortKeys(
          { ...publish, ...(publish.dashboard && { dashboard: orderDashboard(publish.dashboard) }) },
          order.publish,
        )
      : publish;
  const fields = {
    ...rest,
    ...(dashboard && { dashboard: orderDashboard(dashboard) }),
    ...(published !== undefined && { publish: published }),
  };
  return sortKeys(fields, order.workbook);
}

function orderNotification({ recipients, ...rest }: NotificationFile): object {
  const listed = recipients?.map(recipient => sortKeys(recipient, order.recipient));
  // `recipients` is the last key.
  return { ...sortKeys(rest, order.notification), ...(listed && listed.length > 0 && { recipients: listed }) };
}

function orderRole({ policies = [], ...rest }: RoleFile): object {
  return sortKeys({ ...rest, policies: policies.map(policy => sortKeys(policy, order.policy)) }, order.role);
}

function orderDashboard({ layout, widgets, ...rest }: NamedDashboard): object {
  const { breakpoints, cols, ...grid } = layout ?? {};
  const ordered = {
    ...rest,
    ...(layout && {
      layout: sortKeys(
        {
          ...grid,
          ...(breakpoints && { breakpoints: sortKeys(breakpoints, order.breakpoints) }),
          ...(cols && { cols: sortKeys(cols, order.breakpoints) }),
        },
        order.layout,
      ),
    }),
    ...(widgets && { widgets: widgets.map(orderWidget) }),
  };
  return sortKeys(ordered, order.dashboard);
}

function orderWidget({ position, responsiveLayouts, ...rest }: NonNullable<NamedDashboard['widgets']>[number]): object {
  const places = Object.entries(responsiveLayouts ?? {}).map(([name, place]) => {
    return [name, place && sortKeys(place, order.position)] as const;
  });
  const widget = {
    ...rest,
    position: sortKeys(position, order.position),
    ...(responsiveLayouts && { responsiveLayouts: sortKeys(Object.fromEntries(places), order.breakpoints) }),
  };
  return sortKeys(widget, order.widget);
}

/** Copies a record with these keys first, in this order, without `null` and `undefined` values. */
function sortKeys(record: object, keys: readonly string[]): object {
  const rank = (key: string): number => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)));
}

/** Prints a file with each field of the listed objects on a separate line, which suits version control. */
function printAsBlocks(value: object): string {
  return print(value, 4);
}

/** @param blockDepth - number of ancestors up to which maps and lists are written as blocks. */
function print(value: object, blockDepth = 2): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_key, node, path) {
      // The root and its fields are written as blocks, and so are list items that consist of a single key.
      const isListedName = isSeq(path.at(-1)) && isMap(node) && node.items.length === 1;
      if (path.length > blockDepth && !isListedName && isShort(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** True for short maps and lists of scalars without line breaks. */
function isShort(node: Node): boolean {
  if (!isMap(node) && !isSeq(node)) return false;
  const values = isMap(node) ? node.items.map(({ value }) => value) : node.items;
  const isPlain = values.every(
    value => isScalar(value) && !(typeof value.value === 'string' && value.value.includes('\n')),
  );
  return isPlain && JSON.stringify(node.toJSON()).length <= maxLineLength;
}
