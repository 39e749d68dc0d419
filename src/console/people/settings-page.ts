import { PaError } from '../../client/errors.js';
import { getTenantSettings, updateTenantSettings } from '../../client/operations/account.js';
import { getAppConfig, updateAppConfig } from '../../client/operations/app-config.js';
import type { ListPage, PageTools } from './list-page.js';

type Settings = Readonly<Record<string, unknown>>;

const scheme = (backgroundColor: string, foregroundColor: string, accentColor: string) => ({
  accentColor,
  backgroundColor,
  contrast: 50,
  foregroundColor,
  logoUrl: '',
});
/** The theme that the first change of a value is applied to, because the platform stores only whole themes. */
const defaultTheme = {
  light: scheme('#ffffff', '#14171f', '#1d5bbf'),
  dark: scheme('#0f1115', '#e8eaf0', '#7aa5f0'),
  logoUrl: '',
  palette: {},
};

/** Settings of the applications that a response omits while they have their defaults. */
const withDefaults: readonly string[] = [
  ...['allowAi', 'enableDashboardComments', 'locale', 'showAiWidgets', 'showDashboardChat', 'showWorkbookChat'].map(
    name => `embedding.${name}`,
  ),
  'embedding.timezone',
  ...['showGeneratedSql', 'showSemanticSql', 'showWorkspaceTitle', 'workspaceTitle'].map(name => `creatorMode.${name}`),
  ...entriesOf({ appTheme: defaultTheme }).map(([name]) => name),
  'appTheme.palette.accent.color',
  'appTheme.palette.base.color',
  'sheetsUi.showAppliedFilters',
  'timezoneSettings.enabled',
  'timezoneSettings.timezone',
];
/** Settings that the platform derives. */
const derived = ['auditLogEnabledCurrent', 'auditLogEnabledTimestamp', 'revision'];

/** Maximum number of attempts of a change while other administrators change settings. */
const maxAttempts = 5;

/** Returns the page with the settings of the account and of the applications. It uses the names of the Platform API. */
export function settingsPage({ call, messages }: PageTools): ListPage {
  return {
    id: 'settings',
    title: messages.settings,
    searchLabel: messages.search,
    columns: [messages.setting, messages.value],
    create: {
      label: messages.changeSetting,
      button: messages.save,
      fields: [
        { name: 'setting', label: messages.setting, options: names },
        { name: 'value', label: messages.valueOrNull },
      ],
      async run({ setting = '', value = '' }) {
        await change(setting, readValue(value));
        return null;
      },
    },
    async load({ search = '' }) {
      const found = [...(await settings())].filter(([name]) => name.toLowerCase().includes(search.toLowerCase()));
      const items = found.map(([name, value]) => ({ id: name, name, cells: [name, textOf(value)], actions: [] }));
      return { items, pageInfo: null };
    },
  };

  async function settings(): Promise<ReadonlyMap<string, unknown>> {
    const [account, config] = await Promise.all([call(getTenantSettings), call(getAppConfig)]);
    const ofAccount = Object.entries(account).filter(([name]) => !derived.includes(name));
    const stored = entriesOf(config).filter(([name]) => !derived.includes(name));
    const ofApps = new Map([...withDefaults.map(name => [name, null] as const), ...stored]);
    return new Map([...ofAccount, ...[...ofApps].sort(([a], [b]) => (a < b ? -1 : 1))]);
  }

  async function names() {
    return [...(await settings()).keys()].map(name => ({ value: name, label: name }));
  }

  /**
   * Changes one value. The platform replaces each key of the applications as a whole, so the change is based on their
   * revision, and repeated if another administrator has changed them at the same time.
   */
  async function change(setting: string, value: unknown, attempt = 1): Promise<void> {
    const { revision = null, ...config } = await call(getAppConfig);
    const [key = '', ...path] = setting.split('.');
    if (path.length === 0 && !Object.hasOwn(config, key)) {
      await call(connection => updateTenantSettings(connection, { [key]: value }));
      return;
    }
    const before = config[key] ?? (key === 'appTheme' ? defaultTheme : null);
    const body = { [key]: withValue(before, path, value), revision };
    try {
      await call(connection => updateAppConfig(connection, body));
    } catch (error) {
      const isConflict = error instanceof PaError && error.status === 409;
      if (!isConflict || attempt === maxAttempts) throw error;
      await change(setting, value, attempt + 1);
    }
  }
}

/** Returns the values of nested settings by path, such as `embedding.locale`. Lists are values. */
function entriesOf(settings: Settings, prefix = ''): (readonly [string, unknown])[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    isSettings(value) ? entriesOf(value, `${prefix}${name}.`) : [[prefix + name, value] as const],
  );
}

function withValue(settings: unknown, [name, ...path]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const before = isSettings(settings) ? settings : {};
  return { ...before, [name]: withValue(before[name], path, value) };
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the text of a field: JSON, such as `null`, which restores a default, or else the text itself. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text without quotes is a value too.
    return text;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
