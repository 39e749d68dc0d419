import type { ProblemKind } from '../../controllers/problem.js';
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
    missing: ['This no longer exists', 'It may have been deleted.'],
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
  startFrom: 'Or start from',
  overview: (name: string) => `Overview: ${name}`,
  templateTitle: (measure: string, group: string) => `${measure} by ${group}`,
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
  /** Controls above the grid, and the width of the preview. */
  container: 'Container',
  addContainer: 'Add container',
  editContainer: 'Change container',
  dissolve: 'Ungroup tiles',
  moveInto: (container: string) => `Move to ${container}`,
  takeOut: 'Take out of the container',
  /** Announced after a tile was moved into a container or out of it. */
  movedInto: (tile: string, container: string) => `${tile} is now in ${container}.`,
  takenOut: (tile: string) => `${tile} is now on the grid.`,
  containerEmpty: 'Drag tiles here, or use “Move to” in the menu of a tile.',
  arrangeInside: 'Arrow keys change the position in the container, Delete removes the tile.',
  containerLayout: 'Layout',
  containerLayouts: { tabs: 'Tabs', stack: 'Stacked', grid: 'Grid' },
  containerAdd: 'Add a tile',
  containerNoTiles: 'Add charts or text to the dashboard first.',
  tabTitle: (tile: string) => `Tab title for ${tile}`,
  tabTitlePlaceholder: 'Tab title',
  movedTo: (tile: string, position: number) => `${tile} is now number ${position}.`,
  addControl: 'Add control',
  editControl: 'Change control',
  controls: 'Controls',
  controlKind: 'Kind',
  controlKinds: { FILTER: 'Filter', TIME_GRAIN: 'Time granularity', FIELD: 'Field picker', PARENT: 'Presets' },
  controlField: 'Field',
  controlFields: 'Fields that can replace it',
  controlFieldsMissing: 'Select at least one field that can replace it.',
  choicesMax: (count: number) => `Select at most ${count}.`,
  presets: 'Presets',
  presetsHint:
    'A preset sets several controls at once. Choose values in the controls above the tiles, then add them here.',
  presetsMissing: 'Add at least one preset.',
  presetSets: (controls: string) => `sets ${controls}`,
  presetName: 'Preset name',
  addPreset: 'Add the current values',
  controlTitle: 'Title (optional)',
  changeControl: (title: string) => `Change ${title}`,
  removeControl: (title: string) => `Remove ${title}`,
  previewWidth: 'Preview width',
  previews: { desktop: 'Desktop', tablet: 'Tablet', phone: 'Phone' },
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
  restored: (number: number) => `Version ${number} is now the draft.`,
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
  /** Title of a preset. */
  title: 'Title',
} satisfies MessageTree;

/** Messages of the editor, in one language. */
export type WorkbookMessages = typeof workbookMessages;
