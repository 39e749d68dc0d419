import { createPluralizer } from '../message-format.js';
import type { CreatorTranslations } from '../translations.js';
import { es as dashboards } from './dashboard.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('es');
const { problems } = dashboards.page;

/** Spanish messages of the workspace and the editor. */
export const es: CreatorTranslations = {
  creator: {
    retry: shared.retry,
    tryAgain: shared.tryAgain,
    details: shared.details,
    code: shared.code,
    request: shared.request,
    sessionEnded: shared.sessionEnded,
    sessionFailed: shared.sessionFailed,
    viewOnly: ['Aquí solo puede ver paneles', 'Consulte al propietario de esta página si necesita crear los suyos.'],
    notLoaded: ['No se pudo cargar esta parte de la página', 'Compruebe su conexión y vuelva a intentarlo.'],
  },
  workspace: {
    workspace: 'Espacio de trabajo',
    own: 'Mis paneles',
    shared: 'Compartido con nosotros',
    newDashboard: 'Nuevo panel',
    newFolder: 'Nueva carpeta',
    search: 'Buscar',
    searchOwn: 'Buscar en mis paneles',
    searchShared: 'Buscar en los paneles compartidos',
    order: 'Ordenar por',
    orders: { name: 'Nombre', updated: 'Último cambio', viewed: 'Última visita' },
    path: 'Ruta',
    items: 'Carpetas y paneles',
    folder: 'Carpeta',
    dashboard: 'Panel',
    published: 'Publicado',
    draft: 'Borrador',
    changed: when => `Cambiado: ${when}`,
    actions: name => `Acciones de ${name}`,
    open: 'Abrir',
    edit: 'Editar',
    view: 'Ver lo publicado',
    rename: 'Cambiar nombre',
    move: 'Mover a…',
    duplicate: 'Duplicar',
    remove: 'Eliminar',
    name: 'Nombre',
    untitled: 'Panel sin título',
    untitledFolder: 'Carpeta sin título',
    create: 'Crear',
    save: 'Guardar',
    cancel: shared.cancel,
    moveTitle: name => `Mover «${name}»`,
    moveHere: 'Mover aquí',
    noFolders: 'Aquí no hay carpetas.',
    more: 'Mostrar más',
    undo: 'Deshacer',
    deleted: name => `«${name}» se ha eliminado.`,
    deletedFolder: name => `«${name}» se ha eliminado. Sus paneles pasan al nivel superior.`,
    found: count => pluralize(count, { one: '# resultado', many: '# de resultados', other: '# resultados' }),
    back: 'Volver',
    emptyOwn: [
      'Aún no hay paneles',
      'Cree un panel para explorar sus datos y compartir lo que encuentre con su equipo.',
    ],
    emptyFolder: ['Esta carpeta está vacía', 'Cree un panel aquí o mueva uno a ella.'],
    emptyShared: ['Aún no hay nada compartido', 'Aquí aparecen los paneles que su equipo publica y comparte.'],
    emptySearch: text => [`Nada coincide con «${text}»`, 'Revise la ortografía o pruebe con una palabra más corta.'],
    clearSearch: 'Borrar la búsqueda',
    failed: {
      ...problems,
      missing: ['Ya no existe', 'Puede que se haya eliminado o movido.'],
      rejected: [
        'Eso no es posible',
        'Una carpeta que contiene carpetas no se puede eliminar ni mover dentro de sí misma.',
      ],
    },
    retry: shared.retry,
    details: shared.details,
    code: shared.code,
    request: shared.request,
  },
};
