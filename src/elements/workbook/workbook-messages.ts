import type { ProblemKind } from '../../controllers/problem.js';
import type { Look } from '../../report/explore/looks.js';
import type { MemberKind } from '../../report/explore/members.js';
import { createPluralizer, type MessageTree, type Notice } from '../messages/message-format.js';
import { pageMessages } from '../messages/page-messages.js';

const pluralize = createPluralizer('en');

/** English messages of the editor. */
export const workbookMessages = {
  retry: pageMessages.retry,
  details: pageMessages.details,
  code: pageMessages.code,
  request: pageMessages.request,
  cancel: pageMessages.cancel,
  failed: {
    ...pageMessages.problems,
    missing: ['It no longer exists', 'It may have been deleted.'],
    rejected: ['This query can’t run', 'Undo the last change, or select other fields.'],
  } satisfies Readonly<Record<ProblemKind, Notice>>,
  /** States of the draft. */
  saved: 'Saved as draft',
  unsaved: 'Not saved yet',
  saving: 'Saving…',
  offline: 'Offline: changes are saved when you reconnect',
  notSaved: 'Not saved',
  undo: 'Undo',
  redo: 'Redo',
  addChart: 'Add chart',
  addText: 'Add text',
  textSample: 'Write Markdown here, such as **bold** text or a [link](https://example.com).',
  text: 'Text',
  emptyBoard: ['An empty dashboard', 'Explore your data, and add what you find as a chart.'],
  /** Tiles of the board. */
  board: 'Tiles',
  arrangeHint: 'Arrow keys move the tile, Shift and arrow keys resize it, Delete removes it.',
  moveTile: (title: string) => `Move ${title}`,
  tileActions: (title: string) => `Actions for ${title}`,
  edit: 'Edit',
  duplicate: 'Duplicate',
  remove: 'Remove',
  earlier: 'Move up',
  later: 'Move down',
  wider: 'Wider',
  narrower: 'Narrower',
  /** Announced after a change with the keyboard. */
  placed: (title: string, column: number, row: number, width: number, height: number) =>
    `${title}: column ${column}, row ${row}, ${width} wide, ${height} high.`,
  removed: (title: string) => `${title} was removed.`,
  missingReport: 'The report of this tile was deleted. Remove the tile, or undo.',
  fixedTile: 'This tile is shown when the dashboard is published.',
  /** Dialog for publishing. */
  publish: 'Publish',
  publishTitle: 'Publish dashboard',
  publishFirst: 'Viewers will see this dashboard for the first time.',
  publishNothing: 'Nothing has changed since the dashboard was last published.',
  publishMoved: 'Tiles have moved.',
  publishAdded: (count: number) => pluralize(count, { one: '# tile is new.', other: '# tiles are new.' }),
  publishRemoved: (count: number) => pluralize(count, { one: '# tile is removed.', other: '# tiles are removed.' }),
  publishChanged: (count: number) => pluralize(count, { one: '# tile has changed.', other: '# tiles have changed.' }),
  shareWithTeam: 'Everyone in my organization can see it',
  publishedNow: 'Published.',
  /** Dialog with the published versions. */
  versions: 'Versions',
  version: (number: number) => `Version ${number}`,
  currentVersion: 'Published now',
  publishedBy: (name: string) => `by ${name}`,
  versionTiles: (count: number) => pluralize(count, { one: '# tile', other: '# tiles' }),
  versionPreview: (number: number) => `Preview of version ${number}`,
  noVersions: ['No versions yet', 'Every publication is stored as a version.'],
  restore: 'Restore as draft',
  restored: (number: number) => `Version ${number} is the draft now.`,
  close: 'Close',
  /** Dialog for conflicting drafts. */
  conflict: 'This dashboard was changed elsewhere',
  conflictHint: 'Another window or person has saved a different version. Nothing is lost: choose which one to keep.',
  conflictMine: (count: number) => pluralize(count, { one: 'Your version: # tile', other: 'Your version: # tiles' }),
  conflictTheirs: (count: number) =>
    pluralize(count, { one: 'Other version: # tile', other: 'Other version: # tiles' }),
  keepMine: 'Keep my version',
  takeTheirs: 'Use the other version',
  keepBoth: 'Keep both',
  copyName: (name: string) => `${name} (my version)`,
  /** Markdown of a text tile. */
  editText: 'Edit text',
  markdown: 'Markdown',
  save: 'Save',
  explore: {
    newChart: 'New chart',
    add: 'Add to dashboard',
    save: 'Save chart',
    title: 'Title',
    fields: 'Fields',
    search: 'Search fields',
    found: (count: number) => pluralize(count, { one: '# field', other: '# fields' }),
    none: (text: string) => `No field matches “${text}”.`,
    loading: 'Loading the fields…',
    noModel: ['No fields', 'There are no fields that you can see.'],
    kinds: {
      measure: 'Measures',
      time: 'Times',
      dimension: 'Dimensions',
      segment: 'Segments',
    } satisfies Readonly<Record<MemberKind, string>>,
    types: { number: 'number', boolean: 'yes/no', time: 'time', string: 'text', geo: 'place' },
    filterBy: (title: string) => `Filter by ${title}`,
    missing: (names: string) => `These fields are not available: ${names}.`,
    removeMissing: 'Remove them',
    kept: 'Some parts of this query cannot be edited here. They stay unchanged.',
    look: 'Show as',
    looks: {
      auto: 'Automatic',
      table: 'Table',
      kpi: 'Figure',
      line: 'Line',
      area: 'Area',
      column: 'Columns',
      bar: 'Bars',
      donut: 'Donut',
    } satisfies Readonly<Record<Look, string>>,
    ownLook: 'Original',
    start: ['Select a field to begin', 'Choose a measure, such as a count, and a time or dimension to group it by.'],
    noRows: ['No rows', 'No rows match. Change or remove a filter.'],
    rows: (count: number) => pluralize(count, { one: '# row', other: '# rows' }),
    firstRows: (count: number) => pluralize(count, { one: 'First row', other: 'First # rows' }),
    running: 'Loading…',
  },
  form: {
    groupBy: (title: string) => `${title} by`,
    noGroup: 'no group',
    removeFilter: (title: string) => `Remove the filter on ${title}`,
    orderBy: 'Order by',
    defaultOrder: 'Default',
    ascending: (title: string) => `${title}, ascending`,
    descending: (title: string) => `${title}, descending`,
    limit: 'Max. rows',
    timezone: 'Time zone',
  },
} satisfies MessageTree;

/** Messages of the editor, in one language. */
export type WorkbookMessages = typeof workbookMessages;
