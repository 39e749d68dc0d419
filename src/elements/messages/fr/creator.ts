import { createPluralizer } from '../message-format.js';
import type { CreatorTranslations } from '../translations.js';
import { fr as dashboards } from './dashboard.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('fr');
const { problems } = dashboards.page;

/** French messages of the workspace and the editor. */
export const fr: CreatorTranslations = {
  creator: {
    retry: shared.retry,
    tryAgain: shared.tryAgain,
    details: shared.details,
    code: shared.code,
    request: shared.request,
    sessionEnded: shared.sessionEnded,
    sessionFailed: shared.sessionFailed,
    viewOnly: [
      'Vous pouvez seulement consulter des tableaux de bord ici',
      'Adressez-vous au propriétaire de cette page pour créer les vôtres.',
    ],
    notLoaded: ['Cette partie de la page n’a pas pu être chargée', 'Vérifiez votre connexion, puis réessayez.'],
  },
  workspace: {
    workspace: 'Espace de travail',
    own: 'Mes tableaux de bord',
    shared: 'Partagés avec nous',
    newDashboard: 'Nouveau tableau de bord',
    newFolder: 'Nouveau dossier',
    search: 'Rechercher',
    searchOwn: 'Rechercher dans mes tableaux de bord',
    searchShared: 'Rechercher dans les tableaux de bord partagés',
    order: 'Trier par',
    orders: { name: 'Nom', updated: 'Dernière modification', viewed: 'Dernière consultation' },
    path: 'Chemin',
    items: 'Dossiers et tableaux de bord',
    folder: 'Dossier',
    dashboard: 'Tableau de bord',
    published: 'Publié',
    draft: 'Brouillon',
    changed: when => `Modifié : ${when}`,
    actions: name => `Actions pour ${name}`,
    open: 'Ouvrir',
    edit: 'Modifier',
    view: 'Voir la version publiée',
    rename: 'Renommer',
    move: 'Déplacer vers…',
    duplicate: 'Dupliquer',
    remove: 'Supprimer',
    name: 'Nom',
    untitled: 'Tableau de bord sans titre',
    untitledFolder: 'Dossier sans titre',
    create: 'Créer',
    save: 'Enregistrer',
    cancel: shared.cancel,
    moveTitle: name => `Déplacer « ${name} »`,
    moveHere: 'Déplacer ici',
    noFolders: 'Aucun dossier ici.',
    more: 'Afficher plus',
    undo: 'Annuler la suppression',
    deleted: name => `« ${name} » est supprimé.`,
    deletedFolder: name => `« ${name} » est supprimé. Ses tableaux de bord passent au niveau supérieur.`,
    found: count => pluralize(count, { one: '# résultat', many: '# de résultats', other: '# résultats' }),
    back: 'Retour',
    emptyOwn: [
      'Aucun tableau de bord',
      'Créez un tableau de bord pour explorer vos données et partager vos découvertes avec votre équipe.',
    ],
    emptyFolder: ['Ce dossier est vide', 'Créez un tableau de bord ici, ou déplacez-en un.'],
    emptyShared: [
      'Rien n’est encore partagé',
      'Les tableaux de bord que votre équipe publie et partage apparaissent ici.',
    ],
    emptySearch: text => [`Aucun résultat pour « ${text} »`, 'Vérifiez l’orthographe, ou essayez un mot plus court.'],
    clearSearch: 'Effacer la recherche',
    failed: {
      ...problems,
      missing: ['Cet élément n’existe plus', 'Il a peut-être été supprimé ou déplacé.'],
      rejected: [
        'Cette action est impossible',
        'Un dossier qui contient des dossiers ne peut être ni supprimé ni déplacé dans lui-même.',
      ],
    },
    retry: shared.retry,
    details: shared.details,
    code: shared.code,
    request: shared.request,
  },
};
