import * as z from 'zod/mini';
import { operation } from './operation.js';
import { optional } from './wire.js';

const Css = z.string().check(z.maxLength(100));
const percent = z.number().check(z.gte(0), z.lte(100));
const ThemeText = z.string().check(z.maxLength(255));
/**
 * URL of an image or a font; an empty string means none. Pages of the platform load it, so only URLs that cannot run
 * scripts are allowed.
 */
const ThemeUrl = z
  .string()
  .check(
    z.maxLength(32_000),
    z.regex(
      /^(?:https:\/\/\S+|\/(?!\/)\S*|data:(?:image|font)\/[^\s,]+,\S*)?$/,
      'must be an HTTPS URL or an image or font data: URL',
    ),
  );

const ThemeScheme = z.looseObject({
  accentColor: Css,
  backgroundColor: Css,
  contrast: z.number(),
  foregroundColor: Css,
  logoUrl: ThemeUrl,
});
const PaletteSeed = z.looseObject({
  color: optional(Css),
  hue: optional(z.number().check(z.gte(0), z.lte(360))),
  saturation: optional(percent),
});
const ThemeFontRef = z.looseObject({ fontRef: ThemeText, fontWeight: z.number() });
const ThemeFont = z.looseObject({
  id: ThemeText,
  family: optional(ThemeText),
  format: ThemeText,
  name: optional(ThemeText),
  url: ThemeUrl,
});

/** Theme of the applications. `light` and `dark` are deprecated in favor of `palette` and `logoUrl`. */
export const AppTheme = z.looseObject({
  dark: ThemeScheme,
  light: ThemeScheme,
  logoUrl: ThemeUrl,
  palette: z.looseObject({
    accent: optional(PaletteSeed),
    base: optional(PaletteSeed),
    contrastLevel: optional(percent),
    pastel: optional(z.boolean()),
    surfaceMode: optional(z.enum(['neutral', 'tinted'])),
    themes: optional(
      z.looseObject({
        code: optional(z.looseObject({ saturation: optional(percent) })),
        danger: optional(PaletteSeed),
        note: optional(PaletteSeed),
        success: optional(PaletteSeed),
        warning: optional(PaletteSeed),
      }),
    ),
  }),
  typography: optional(
    z.looseObject({ body: ThemeFontRef, heading: ThemeFontRef, fonts: z.array(ThemeFont).check(z.maxLength(50)) }),
  ),
});

const Locale = z.string().check(z.maxLength(35));
const Timezone = z.string().check(z.maxLength(64));

const creatorMode = {
  showGeneratedSql: optional(z.boolean()),
  showSemanticSql: optional(z.boolean()),
  showWorkspaceTitle: optional(z.boolean()),
  workspaceTitle: optional(z.string().check(z.maxLength(1000))),
};
const localizedTitle = { locale: Locale, value: z.string().check(z.maxLength(1000)) };
const embedding = {
  allowAi: optional(z.boolean()),
  enableDashboardComments: optional(z.boolean()),
  locale: optional(Locale),
  showAiWidgets: optional(z.boolean()),
  showDashboardChat: optional(z.boolean()),
  showWorkbookChat: optional(z.boolean()),
  timezone: optional(Timezone),
};
const sheetsUi = { showAppliedFilters: optional(z.boolean()) };
const timezoneSettings = {
  allowUserOverride: optional(z.boolean()),
  enabled: optional(z.boolean()),
  timezone: optional(Timezone),
};

/** Settings of the full application when embedded in a host (spec 2.8). */
export const CreatorMode = z.looseObject({
  ...creatorMode,
  localizedTitles: optional(z.array(z.looseObject(localizedTitle))),
});

/** Account-wide defaults of embedding (spec 2.8). */
export const EmbedSettings = z.looseObject(embedding);

/**
 * Configuration of the account's applications (spec 2.8). For an embed session, `restrictDataDownload` is the effective
 * value: `true` if the account restricts downloads or no role of the session allows `DownloadData`. `revision`
 * (extension) changes with the stored configuration; administrators send it with a change.
 */
export const AppConfig = z.looseObject({
  // Not validated, so that a client that cannot read a newer theme can still use the other settings.
  appTheme: optional(z.looseObject({})),
  applyThemeGlobally: z.boolean(),
  creatorMode: optional(CreatorMode),
  embedding: optional(EmbedSettings),
  restrictDataDownload: z.boolean(),
  revision: optional(z.string()),
  sheetsAgentChatEnabled: z.boolean(),
  sheetsUi: optional(z.looseObject(sheetsUi)),
  timezoneSettings: optional(z.looseObject(timezoneSettings)),
});
/** Configuration of the account's applications (spec 2.8). */
export type AppConfig = z.infer<typeof AppConfig>;

/** Returns the account's configuration (spec 4.5). */
export const getAppConfig = operation({
  id: 'getAppConfig',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/app-config',
  access: 'authenticated',
  response: AppConfig,
  errors: {},
});

/**
 * Updates the account's configuration. An extension: the specification and the operations document define no operation
 * for this. Omitted keys stay unchanged; a key that is sent is replaced as a whole, and `null` restores its default. If
 * `revision` is sent and the configuration has another one, nothing is changed (409), so that a change of another
 * administrator is not overwritten.
 */
export const updateAppConfig = operation({
  id: 'updateAppConfig',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/app-config',
  access: 'admin',
  body: z.strictObject({
    appTheme: optional(AppTheme),
    applyThemeGlobally: optional(z.boolean()),
    creatorMode: optional(
      z.strictObject({
        ...creatorMode,
        localizedTitles: optional(z.array(z.strictObject(localizedTitle)).check(z.maxLength(50))),
      }),
    ),
    embedding: optional(z.strictObject(embedding)),
    restrictDataDownload: optional(z.boolean()),
    /** The revision of the configuration that the change is based on. */
    revision: optional(z.string().check(z.maxLength(64))),
    sheetsAgentChatEnabled: optional(z.boolean()),
    sheetsUi: optional(z.strictObject(sheetsUi)),
    timezoneSettings: optional(z.strictObject(timezoneSettings)),
  }),
  response: AppConfig,
  errors: { 409: 'The configuration has a different revision.' },
});
