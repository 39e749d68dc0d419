import { countedIn, type Forms } from '../../../messages/counted.js';
import type { AnswerCounts, TranscriptMessages } from './messages.js';

const counted = countedIn('es');

const nouns: Readonly<Record<keyof AnswerCounts, Forms>> = {
  paragraphs: { one: '# párrafo', other: '# párrafos' },
  lists: { one: '# lista', other: '# listas' },
  tables: { one: '# tabla', other: '# tablas' },
  charts: { one: '# gráfico', other: '# gráficos' },
  codeBlocks: { one: '# bloque de código', other: '# bloques de código' },
};

/** Spanish. */
export const es: TranscriptMessages = {
  transcript: 'Mensajes',
  question: 'Usted escribió',
  answer: 'Respuesta',
  older: 'Mostrar mensajes anteriores',
  latest: 'Ir a lo más reciente',
  latestNew: 'Hay algo nuevo abajo: ir a lo más reciente',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Aquí no se permite copiar',
  edit: 'Editar y enviar de nuevo',
  again: 'Preguntar de nuevo',
  good: 'Buena respuesta',
  bad: 'Mala respuesta',
  usage: 'Mostrar el consumo',
  usageIs: (tokens, input, output, calls) =>
    `${tokens} tokens (${input} de entrada, ${output} de salida), llamadas al modelo: ${calls}`,
  thinking: 'Razonamiento',
  connecting: 'Conectando…',
  working: 'Trabajando…',
  reconnecting: 'Volviendo a conectar…',
  offline: 'Sin conexión. Seguirá en cuanto vuelva la conexión.',
  ends: {
    aborted: 'Usted detuvo esta respuesta.',
    failed: 'Esta respuesta ha fallado.',
    length: 'Esta respuesta se cortó: alcanzó un límite.',
    suspended: 'Esta respuesta se interrumpió y puede continuar.',
    interrupted: 'Esta respuesta se cortó: se perdió la conexión.',
  },
  retry: 'Reintentar',
  resume: 'Continuar',
  answering: 'Respondiendo',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, forms]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [counted(count, forms)];
    });
    return parts.length === 0 ? 'Respuesta completa' : `Respuesta completa: ${parts.join(', ')}`;
  },
};
