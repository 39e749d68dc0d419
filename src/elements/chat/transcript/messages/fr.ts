import { countedIn, type Forms } from '../../../messages/counted.js';
import type { AnswerCounts, TranscriptMessages } from './messages.js';

const counted = countedIn('fr');

const nouns: Readonly<Record<keyof AnswerCounts, Forms>> = {
  paragraphs: { one: '# paragraphe', other: '# paragraphes' },
  lists: { one: '# liste', other: '# listes' },
  tables: { one: '# tableau', other: '# tableaux' },
  charts: { one: '# graphique', other: '# graphiques' },
  codeBlocks: { one: '# bloc de code', other: '# blocs de code' },
};

/** French. */
export const fr: TranscriptMessages = {
  transcript: 'Fil de la discussion',
  question: 'Vous avez écrit',
  answer: 'Réponse',
  older: 'Afficher les messages précédents',
  latest: 'Aller au plus récent',
  latestNew: 'Du nouveau plus bas : y aller',
  copy: 'Copier',
  copied: 'Copié',
  copyFailed: 'La copie n’est pas autorisée ici',
  edit: 'Modifier et renvoyer',
  again: 'Reposer la question',
  good: 'Bonne réponse',
  bad: 'Mauvaise réponse',
  usage: 'Afficher la consommation',
  usageIs: (tokens, input, output, calls) =>
    `${tokens} jetons (${input} en entrée, ${output} en sortie), appels du modèle : ${calls}`,
  thinking: 'Raisonnement',
  connecting: 'Connexion…',
  working: 'En cours…',
  reconnecting: 'Reconnexion…',
  offline: 'Hors ligne. La suite viendra dès le retour de la connexion.',
  ends: {
    aborted: 'Vous avez arrêté cette réponse.',
    failed: 'Cette réponse a échoué.',
    length: 'Cette réponse a été coupée : elle a atteint une limite.',
    suspended: 'Cette réponse a été interrompue et peut reprendre.',
    interrupted: 'Cette réponse a été coupée : la connexion a été perdue.',
  },
  retry: 'Réessayer',
  resume: 'Continuer',
  answering: 'Réponse en cours',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, forms]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [counted(count, forms)];
    });
    return parts.length === 0 ? 'Réponse terminée' : `Réponse terminée : ${parts.join(', ')}`;
  },
};
