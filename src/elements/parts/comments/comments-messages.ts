import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of the comments on a dashboard. */
export const commentsMessages = {
  comments: 'Comments',
  unread: (count: number) => pluralize(count, { one: '# unread comment', other: '# unread comments' }),
  newComments: (count: number) => pluralize(count, { one: '# new comment', other: '# new comments' }),
  close: 'Close comments',
  /** Label of the choice between open and resolved threads. */
  show: 'Show',
  open: 'Open',
  resolved: 'Resolved',
  emptyOpen: ['No comments yet', 'Ask a question, or share what you noticed with your team.'],
  emptyResolved: ['Nothing resolved yet', 'Resolved conversations appear here.'],
  /** Item in the menu of a tile. */
  commentOnTile: 'Comment on this tile',
  write: 'Write a comment',
  writeAbout: (title: string) => `Write a comment about ${title}`,
  hint: 'Your team can read it. Type @ to mention someone.',
  send: 'Comment',
  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  edit: 'Edit',
  editComment: 'Edit comment',
  save: 'Save',
  cancel: sharedMessages.cancel,
  remove: 'Delete',
  confirmRemove: 'Delete this comment?',
  confirmRemoveThread: 'Delete this comment and its replies?',
  resolve: 'Resolve',
  reopen: 'Reopen',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  copyFailed: sharedMessages.copyFailed,
  you: 'You',
  unknownUser: 'Unknown user',
  isNew: 'New',
  edited: 'edited',
  removed: 'This comment was deleted.',
  /** Label of the button that shows the tile and the control values of a comment. */
  showTile: (title: string) => `Show ${title} as the author saw it`,
  showState: 'Show the dashboard as the author saw it',
  tileGone: 'The tile no longer exists',
  /** Label of the button that removes the tile from the comment that is being written. */
  detach: (title: string) => `Remove the reference to ${title}`,
  earlierReplies: (count: number) => pluralize(count, { one: 'Show # earlier reply', other: 'Show # earlier replies' }),
  more: 'Show more',
  suggestions: 'People to mention',
  suggested: (count: number) => pluralize(count, { one: '# person', other: '# people' }),
  sent: 'Comment added',
  saved: 'Comment saved',
  deleted: 'Comment deleted',
  resolvedNow: 'Conversation resolved',
  reopenedNow: 'Conversation reopened',
  retry: sharedMessages.retry,
  notSaved: 'This could not be saved. Try again in a moment.',
} satisfies MessageTree;

/** Messages of the comments on a dashboard, in one language. */
export type CommentsMessages = typeof commentsMessages;
