import { countedIn } from './counted.js';
import type { Messages } from './messages.js';

const counted = countedIn('es');

/** Spanish. */
export const es: Messages = {
  retry: 'Reintentar',
  retryAll: 'Reintentar todo',
  details: 'Detalles',
  code: 'Código',
  request: 'Solicitud',
  dashboard: 'Panel',
  report: 'Informe',
  text: 'Texto',
  problems: {
    offline: ['No hay conexión', 'Se cargará de nuevo en cuanto vuelva la conexión.'],
    unreachable: ['No se puede acceder a los datos', 'Compruebe la conexión y vuelva a intentarlo.'],
    timeout: ['Está tardando demasiado', 'Vuelva a intentarlo en un momento.'],
    session: ['La sesión ha terminado', 'Recargue la página o inicie sesión de nuevo.'],
    denied: ['No tiene acceso', 'Pida acceso a quien administra esta página.'],
    missing: ['No está disponible', 'Puede que no esté publicado o que no se haya compartido con usted.'],
    rejected: ['Este informe no se puede ejecutar', 'Quien lo creó tiene que modificarlo.'],
    drawing: ['Este informe no se puede dibujar', 'Quien lo creó tiene que modificarlo.'],
    failed: ['Algo ha fallado', 'Vuelva a intentarlo en un momento.'],
  },
  empty: ['Sin datos', 'Este informe todavía no contiene nada.'],
  emptyFiltered: ['Sin datos', 'Nada coincide con los filtros de este informe.'],
  emptyChosen: ['Sin datos', 'Nada coincide con lo elegido arriba.'],
  emptyChosenBy: names => `Nada coincide con lo elegido en ${names}.`,
  clearFilters: count => (count === 1 ? 'Quitar el filtro' : 'Quitar estos filtros'),
  emptyDashboard: ['Todavía no hay nada', 'Este panel no tiene elementos.'],
  unsupportedKind: ['Aún no compatible', 'Los informes de este tipo todavía no se pueden mostrar aquí.'],
  noQuery: ['Sin consulta', 'Este informe no consulta nada. Quien lo creó tiene que modificarlo.'],
  missingReport: ['Sin informe', 'El informe de este elemento no forma parte del panel publicado.'],
  missingDashboard: [
    'No hay ningún panel con este identificador público',
    'Compruebe el identificador público. Puede que el panel no esté publicado o que no se haya compartido con usted.',
  ],
  sessionEnded: ['Su sesión ha terminado', 'Recargue la página o inicie sesión de nuevo para continuar.'],
  sessionFailed: [
    'No se pudo iniciar la sesión',
    'Vuelva a intentarlo; si continúa, avise a quien administra esta página.',
  ],
  tryAgain: 'Volver a intentarlo',
  stillWorking: 'Todavía en curso…',
  cancel: 'Cancelar',
  stopped: ['Detenido', 'Lo canceló antes de que terminara.'],
  tileMenu: title => `Menú de ${title}`,
  filtered: 'Filtrado',
  filteredHint: names => `Aquí solo cuenta lo que coincide con ${names}.`,
  firstRows: count => `Primeras ${count} filas; puede haber más`,
  firstRowsHint: count =>
    `La respuesta se cortó en ${count} filas. Puede haber más, y las cifras pueden estar incompletas.`,
  firstRowsOf: (count, total) => `Primeras ${count} de ${total} filas`,
  firstRowsOfHint: (count, total) =>
    `La respuesta se cortó en ${count} de ${total} filas. Las cifras pueden estar incompletas.`,
  showingOf: (shown, total) => `Se muestran ${shown} de ${total}`,
  showingOfHint: (shown, total) =>
    `${total} marcas son demasiadas para distinguirlas: se dibujan ${shown}, repartidas por todo el gráfico.`,
  stale: 'Sin actualizar',
  staleHint: 'Ha cancelado las filas más recientes. Lo que ve es lo anterior.',
  controls: 'Controles',
  allValues: 'Todo',
  ownGranularity: 'Como en cada informe',
  ignoresControls: 'No sigue los controles',
  ignoresControlsHint: (names, reason) =>
    `Lo elegido en ${names} no afecta a este informe.${reason ? ` Se ejecuta tal como está escrito su SQL: ${reason}` : ''}`,
  ignoredBecause: {
    grains: 'Sus filas se agrupan por dos granularidades de ese tiempo.',
    taken: 'Ya contiene ese campo.',
    condition: 'Esa condición no se puede aplicar a ese campo.',
  },
  hiddenWidgets: count =>
    counted(count, {
      one: '# elemento todavía no se puede mostrar aquí.',
      other: '# elementos todavía no se pueden mostrar aquí.',
    }),
  allFailed: 'No se pudo cargar ningún elemento',
  notLoaded: 'Sin cargar',
  failedTiles: count =>
    counted(count, { one: '# elemento no se pudo cargar.', other: '# elementos no se pudieron cargar.' }),
};
