import { createPluralizer } from '../message-format.js';
import type { SharedMessages } from '../shared-messages.js';

const pluralize = createPluralizer('es');

/** Spanish messages that several elements have in common. */
export const shared: SharedMessages = {
  retry: 'Reintentar',
  tryAgain: 'Volver a intentarlo',
  details: 'Detalles',
  code: 'Código',
  request: 'Solicitud',
  cancel: 'Cancelar',
  sessionOver: ['La sesión ha caducado', 'Recargue la página o inicie sesión de nuevo.'],
  sessionEnded: ['Su sesión ha terminado', 'Recargue la página o inicie sesión de nuevo para continuar.'],
  sessionFailed: [
    'No se pudo iniciar la sesión',
    'Vuelva a intentarlo. Si el problema continúa, contacte con quien administra esta página.',
  ],
  downloadCsv: 'Descargar CSV',
  copy: 'Copiar',
  copied: 'Copiado',
  copyRows: 'Copiar filas',
  rowsCopied: 'Filas copiadas',
  copyFailed: 'El navegador bloqueó la copia.',
  notShown: count => pluralize(count, { one: '# no mostrado', other: '# no mostrados' }),
};
