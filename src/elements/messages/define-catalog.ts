import { createLocaleContext, type MessageCatalog } from '../../controllers/locale-controller.js';
import { dashboardLoaders, type Language, type Loaders } from './dashboard-translations.js';
import type {
  ChatTranslations,
  CreatorTranslations,
  DashboardTranslations,
  ViewerTranslations,
} from './translations.js';

const chatLoaders: Loaders<ChatTranslations> = {
  ar: () => import('./ar/chat.js').then(module => module.ar),
  de: () => import('./de/chat.js').then(module => module.de),
  es: () => import('./es/chat.js').then(module => module.es),
  fr: () => import('./fr/chat.js').then(module => module.fr),
  ja: () => import('./ja/chat.js').then(module => module.ja),
};

const creatorLoaders: Loaders<CreatorTranslations> = {
  ar: () => import('./ar/creator.js').then(module => module.ar),
  de: () => import('./de/creator.js').then(module => module.de),
  es: () => import('./es/creator.js').then(module => module.es),
  fr: () => import('./fr/creator.js').then(module => module.fr),
  ja: () => import('./ja/creator.js').then(module => module.ja),
};

const viewerLoaders: Loaders<ViewerTranslations> = {
  ar: () => import('./ar/viewer.js').then(module => module.ar),
  de: () => import('./de/viewer.js').then(module => module.de),
  es: () => import('./es/viewer.js').then(module => module.es),
  fr: () => import('./fr/viewer.js').then(module => module.fr),
  ja: () => import('./ja/viewer.js').then(module => module.ja),
};

/**
 * Defines the message catalog of an element. Its English messages are bundled with it; other languages are lazy-loaded.
 */
export function defineCatalog<M>(english: M, load: Loaders<NoInfer<M>>): MessageCatalog<M> {
  return { context: createLocaleContext<M>(), fallback: { locale: 'en', messages: english }, load };
}

/** Returns the translation loaders of one dashboard or report element. */
export function dashboardTranslations<K extends keyof DashboardTranslations>(
  element: K,
): Loaders<DashboardTranslations[K]> {
  return loadersOf(dashboardLoaders, element);
}

/** Returns the translation loaders of one chat element. */
export function chatTranslations<K extends keyof ChatTranslations>(element: K): Loaders<ChatTranslations[K]> {
  return loadersOf(chatLoaders, element);
}

/** Returns the translation loaders of one element of the dashboard editor. */
export function creatorTranslations<K extends keyof CreatorTranslations>(element: K): Loaders<CreatorTranslations[K]> {
  return loadersOf(creatorLoaders, element);
}

/** Returns the translation loaders of one element that viewers of a dashboard use. */
export function viewerTranslations<K extends keyof ViewerTranslations>(element: K): Loaders<ViewerTranslations[K]> {
  return loadersOf(viewerLoaders, element);
}

function loadersOf<T, K extends keyof T>(loaders: Loaders<T>, element: K): Loaders<T[K]> {
  const load = (language: Language) => () => loaders[language]().then(translations => translations[element]);
  return { ar: load('ar'), de: load('de'), es: load('es'), fr: load('fr'), ja: load('ja') };
}
