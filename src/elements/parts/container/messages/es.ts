import type { ContainerMessages } from './messages.js';

/** Spanish. */
export const es: ContainerMessages = {
  tabs: 'Pestañas',
  tab: number => `Pestaña ${number}`,
  empty: ['Aún no hay nada aquí', 'Este contenedor no tiene elementos.'],
  troubles: {
    type: name => ['Todavía no es compatible', `Los widgets de tipo ${name} aún no se pueden mostrar aquí.`],
    missing: name => ['Falta un widget', `Aquí se nombra «${name}», pero el panel no lo contiene.`],
    twice: name => ['Se muestra en otro lugar', `«${name}» se nombra más de una vez; está en el primer lugar.`],
    cycle: name => [
      'Un contenedor dentro de sí mismo',
      `«${name}» no puede estar dentro de sí mismo. Quien creó el panel debe cambiarlo.`,
    ],
    deep: name => ['Demasiados niveles', `Los contenedores admiten hasta cuatro niveles; «${name}» sería el quinto.`],
    app: () => ['Todavía no es compatible', 'Los paneles de este tipo aún no se pueden mostrar aquí.'],
  },
};
