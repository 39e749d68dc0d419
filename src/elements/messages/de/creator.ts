import { createPluralizer } from '../message-format.js';
import type { CreatorTranslations } from '../translations.js';
import { de as dashboards } from './dashboard.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('de');
const { problems } = dashboards.page;

/** German messages of the workspace and the editor. */
export const de: CreatorTranslations = {
  creator: {
    retry: shared.retry,
    tryAgain: shared.tryAgain,
    details: shared.details,
    code: shared.code,
    request: shared.request,
    sessionEnded: shared.sessionEnded,
    sessionFailed: shared.sessionFailed,
    viewOnly: [
      'Sie können hier Dashboards nur ansehen',
      'Fragen Sie den Betreiber dieser Seite, wenn Sie eigene erstellen möchten.',
    ],
    notLoaded: ['Dieser Teil der Seite ließ sich nicht laden', 'Prüfen Sie Ihre Verbindung und wiederholen Sie dann.'],
  },
  workspace: {
    workspace: 'Arbeitsbereich',
    own: 'Meine Dashboards',
    shared: 'Mit uns geteilt',
    newDashboard: 'Neues Dashboard',
    newFolder: 'Neuer Ordner',
    search: 'Suchen',
    searchOwn: 'Meine Dashboards durchsuchen',
    searchShared: 'Geteilte Dashboards durchsuchen',
    order: 'Sortieren nach',
    orders: { name: 'Bezeichnung', updated: 'Zuletzt geändert', viewed: 'Zuletzt angesehen' },
    path: 'Pfad',
    items: 'Ordner und Dashboards',
    folder: 'Ordner',
    dashboard: 'Dashboard',
    published: 'Veröffentlicht',
    draft: 'Entwurf',
    changed: when => `Geändert: ${when}`,
    actions: name => `Aktionen für ${name}`,
    open: 'Öffnen',
    edit: 'Bearbeiten',
    view: 'Veröffentlichtes ansehen',
    rename: 'Umbenennen',
    move: 'Verschieben …',
    duplicate: 'Duplizieren',
    remove: 'Löschen',
    name: 'Bezeichnung',
    untitled: 'Unbenanntes Dashboard',
    untitledFolder: 'Unbenannter Ordner',
    create: 'Erstellen',
    save: 'Speichern',
    cancel: shared.cancel,
    moveTitle: name => `„${name}“ verschieben`,
    moveHere: 'Hierher verschieben',
    noFolders: 'Hier gibt es keine Ordner.',
    more: 'Mehr anzeigen',
    undo: 'Rückgängig',
    deleted: name => `„${name}“ wurde gelöscht.`,
    deletedFolder: name => `„${name}“ wurde gelöscht. Seine Dashboards liegen jetzt auf der obersten Ebene.`,
    found: count => pluralize(count, { one: '# Ergebnis', other: '# Ergebnisse' }),
    back: 'Zurück',
    emptyOwn: [
      'Noch keine Dashboards',
      'Erstellen Sie ein Dashboard, um Ihre Daten zu erkunden und Ergebnisse mit Ihrem Team zu teilen.',
    ],
    emptyFolder: ['Dieser Ordner ist leer', 'Erstellen Sie hier ein Dashboard oder verschieben Sie eines hierher.'],
    emptyShared: ['Noch nichts geteilt', 'Hier erscheinen Dashboards, die Ihr Team veröffentlicht und teilt.'],
    emptySearch: text => [
      `Nichts passt zu „${text}“`,
      'Prüfen Sie die Schreibweise oder versuchen Sie ein kürzeres Wort.',
    ],
    clearSearch: 'Suche löschen',
    failed: {
      ...problems,
      missing: ['Das gibt es nicht mehr', 'Vielleicht wurde es gelöscht oder verschoben.'],
      rejected: [
        'Das ist nicht möglich',
        'Ein Ordner, der Ordner enthält, lässt sich nicht löschen und nicht in sich selbst verschieben.',
      ],
    },
    retry: shared.retry,
    details: shared.details,
    code: shared.code,
    request: shared.request,
  },
};
