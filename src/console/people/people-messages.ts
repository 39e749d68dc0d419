/** English messages of the pages for administrators. `{name}` is replaced with a value. */
export const peopleMessages = {
  title: 'Console',
  pages: 'Pages',
  playground: 'Playground',
  loading: 'Loading …',
  signIn: 'Sign in',
  signInHint: 'Administrators and members of this account sign in here.',
  email: 'Email',
  password: 'Password',
  signInWith: 'Sign in with {name}',
  or: 'or',
  onlyProvider: 'This account requires {name}. A password is accepted only from break-glass administrators.',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  signedInAs: 'Signed in as {name}',
  wrongPassword: 'The email or the password is not correct.',
  tooManyAttempts: 'Too many attempts. Try again in a few minutes.',
  unreachable: 'The platform does not respond. Check your connection, and try again.',
  denied: 'The sign-in was canceled.',
  expired: 'The sign-in took too long, or was already used. Try again.',
  failed: 'The sign-in failed. Try again, or contact an administrator.',
  unknownUser: 'No user of this account has your email. Contact an administrator.',
  notAdmin: 'Only administrators can see these pages.',
  users: 'Users',
  groups: 'Groups',
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  search: 'Search',
  searchOperation: 'Operation, such as createUser',
  noItems: 'Nothing found',
  more: 'Show more',
  retry: 'Retry',
  name: 'Name',
  roles: 'Roles',
  status: 'Status',
  lastSignIn: 'Last sign-in',
  active: 'Active',
  deactivated: 'Deactivated',
  administrator: 'Administrator',
  activate: 'Activate',
  deactivate: 'Deactivate',
  endSessions: 'End sessions',
  confirmDeactivate: 'Deactivate {name}? The user’s API keys, sessions and tokens stop working immediately.',
  confirmEndSessions: 'End all sessions of {name}?',
  members: 'Members',
  role: 'Role',
  create: 'Create',
  newGroup: 'New group',
  delete: 'Delete',
  confirmDelete: 'Delete the group {name}? Its members lose the role of the group.',
  user: 'User',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  never: 'Never',
  revoke: 'Revoke',
  confirmRevoke: 'Revoke the key {name}? Requests that use it are rejected from then on.',
  operation: 'Operation',
  time: 'Time',
  credential: 'Credential',
  target: 'Target',
  actions: 'Actions',
  cancel: 'Cancel',
  none: 'None',
  optional: 'optional',
  tenants: 'Tenants',
  tenant: 'Tenant',
  dashboards: 'Dashboards',
  confirmDeleteTenant: 'Delete the tenant {name} with all its users, sessions and content? This cannot be undone.',
  lastSession: 'Last session',
  variables: 'Variables',
  value: 'Value',
  valueOrNull: 'Value, or null for the default',
  setVariable: 'Set a variable',
  save: 'Save',
  addMember: 'Add a member',
  add: 'Add',
  remove: 'Remove',
  nameOrEmail: 'User name or email',
  noUser: 'No user has the name or email {name}.',
  confirmRemove: 'Remove {name} from the group?',
  newKey: 'New API key',
  userOfKey: 'User name of the owner',
  limitToRole: 'Limit to role',
  shownOnce: 'Copy the key now. It is not shown again.',
  copy: 'Copy',
  close: 'Close',
  queryLog: 'Query log',
  searchRequests: 'User, tenant, or minimum duration (ms)',
  duration: 'Duration (ms)',
  rows: 'Rows',
  settings: 'Settings',
  setting: 'Setting',
  changeSetting: 'Change a setting',
  content: 'Content',
  owner: 'Owner',
  access: 'Access',
  sharedWith: 'Shared with',
  shareDashboard: 'Share the dashboard',
  share: 'Share',
  tenantOrAll: 'Tenant, or * for all embed users',
  allEmbedUsers: 'All embed users',
  embeddingOff: 'Embedding is off',
  confirmUnshare: 'Stop sharing the dashboard with {name}?',
  confirmDeleteVariable: 'Delete the variable {name}? A data source that uses it becomes unavailable.',
  policies: 'Policies',
  confirmDeleteRole: 'Delete the role {name}? Users and groups lose its permissions.',
  scimKeys: 'SCIM keys',
  newScimKey: 'New SCIM key',
  newUser: 'New user',
  username: 'User name',
  displayName: 'Display name',
  newRole: 'New role',
  tier: 'License tier',
  resourceType: 'Resource type',
  policyActions: 'Actions, separated by commas',
  resources: 'Resource ids, separated by commas, or All',
  assignRole: 'Assign the role',
  confirmRemoveRole: 'Remove the role from {name}?',
  newPolicy: 'Add a policy',
  effect: 'Effect',
  confirmRemovePolicy: 'Remove the policy {name}? Users and groups lose its permissions.',
  sessions: 'Sessions',
  started: 'Started',
  confirmEndSession: 'Revoke this session of {name}?',
  newPassword: 'Password, at least 12 characters',
  folder: 'Shared via folder',
};
/** Messages of the pages for administrators. */
export type PeopleMessages = Readonly<Record<keyof typeof peopleMessages, string>>;

/** Replaces `{name}` in a message. */
export function withName(message: string, name: string): string {
  return message.replace('{name}', () => name);
}

const loaders: Readonly<Record<string, () => Promise<PeopleMessages>>> = {
  ar: () => import('./messages/ar.js').then(module => module.ar),
  de: () => import('./messages/de.js').then(module => module.de),
  es: () => import('./messages/es.js').then(module => module.es),
  fr: () => import('./messages/fr.js').then(module => module.fr),
  ja: () => import('./messages/ja.js').then(module => module.ja),
};

/** Language of the page and its messages. */
export interface PageLanguage {
  readonly language: string;
  readonly messages: PeopleMessages;
}

/** English, until another language has loaded. */
export const english: PageLanguage = { language: 'en', messages: peopleMessages };

/** Loads the messages in the first of the languages that has a translation. */
export async function loadLanguage(preferred: readonly string[]): Promise<PageLanguage> {
  const languages = preferred.map(tag => tag.split('-', 1)[0]?.toLowerCase() ?? '');
  const language = languages.find(each => each === 'en' || Object.hasOwn(loaders, each)) ?? 'en';
  const load = loaders[language];
  // Ignore the error, because a translation that cannot be loaded must not hide the page.
  const messages = await load?.().catch(() => null);
  return messages ? { language, messages } : english;
}
