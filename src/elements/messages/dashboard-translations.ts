import type { DashboardTranslations } from './translations.js';

/** Languages in addition to English. */
export type Language = 'ar' | 'de' | 'es' | 'fr' | 'ja';

/** Loaders of the translations into each language. */
export type Loaders<M> = Readonly<Record<Language, () => Promise<M>>>;

/** Loaders of the messages of dashboards and reports. */
export const dashboardLoaders: Loaders<DashboardTranslations> = {
  ar: () => import('./ar/dashboard.js').then(module => module.ar),
  de: () => import('./de/dashboard.js').then(module => module.de),
  es: () => import('./es/dashboard.js').then(module => module.es),
  fr: () => import('./fr/dashboard.js').then(module => module.fr),
  ja: () => import('./ja/dashboard.js').then(module => module.ja),
};
