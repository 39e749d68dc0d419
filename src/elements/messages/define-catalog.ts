import { createLocaleContext, type MessageCatalog } from '../../controllers/locale-controller.js';
import type { ChatTranslations, DashboardTranslations } from './translations.js';

type Language = 'ar' | 'de' | 'es' | 'fr' | 'ja';
type Loaders<M> = Readonly<Record<Language, () => Promise<M>>>;

const dashboardLoaders: Loaders<DashboardTranslations> = {
  ar: () => import('./ar/dashboard.js').then(module => module.ar),
  de: () => import('./de/dashboard.js').then(module => module.de),
  es: () => import('./es/dashboard.js').then(module => module.es),
  fr: () => import('./fr/dashboard.js').then(module => module.fr),
  ja: () => import('./ja/dashboard.js').then(module => module.ja),
};
const chatLoaders: Loaders<ChatTranslations> = {
  ar: () => import('./ar/chat.js').then(module => module.ar),
  de: () => import('./de/chat.js').then(module => module.de),
  es: () => import('./es/chat.js').then(module => module.es),
  fr: () => import('./fr/chat.js').then(module => module.fr),
  ja: () => import('./ja/chat.js').then(module => module.ja),
};

/**
 * Defines the message catalog of an element: its English messages are bundled with it; other languages are lazy-loaded.
 */
export function defineCatalog<M>(english: M, load: Loaders<NoInfer<M>>): MessageCatalog<M> {
  return { context: createLocaleContext<M>(), fallback: { locale: 'en', messages: english }, load };
}

/** Loaders of the translations of one element of dashboards and reports. */
export function dashboardTranslations<K extends keyof DashboardTranslations>(
  element: K,
): Loaders<DashboardTranslations[K]> {
  return loadersOf(dashboardLoaders, element);
}

/** Loaders of the translations of one element of the chat. */
export function chatTranslations<K extends keyof ChatTranslations>(element: K): Loaders<ChatTranslations[K]> {
  return loadersOf(chatLoaders, element);
}

function loadersOf<T, K extends keyof T>(loaders: Loaders<T>, element: K): Loaders<T[K]> {
  const load = (language: Language) => () => loaders[language]().then(translations => translations[element]);
  return { ar: load('ar'), de: load('de'), es: load('es'), fr: load('fr'), ja: load('ja') };
}
