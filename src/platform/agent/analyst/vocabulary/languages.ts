// cspell:disable
import { isCueWord } from './cues.js';
import { isEmptyWord } from './empty-words.js';
import { aggregateOf, readWords } from './words.js';

/**
 * Function words and question forms of a language with their English equivalents. Content words are not translated,
 * because they come from the titles and synonyms of the model.
 */
const tables = {
  de: `wie viele=how many|wieviele=how many|anzahl der=number of|anzahl von=number of|anzahl=number of|wie hoch ist=what is|wie hoch war=what was|was ist=what is|was war=what was|welche=which|welcher=which|welches=which|zeige mir=show|zeige=show|zeig=show|gib mir=show|gibt es=are there|gab es=were there|hatten wir=did we have|haben wir=do we have|
    die=the|der=the|das=the|den=the|dem=the|des=the|ein=a|eine=a|einen=a|ist=is|sind=are|war=was|waren=were|mit=with|ohne=without|außer=except|nicht=not|nur=only|und=and|oder=or|im=in|in=in|am=on|von=of|zu=to|nach=by|pro=per|je=per|jeden=each|jede=each|für=for|für jeden=for each|für jede=for each|aufgeteilt nach=by|gruppiert nach=by|
    durchschnittliche=average|durchschnittlicher=average|durchschnittlichen=average|durchschnitt=average|mittlere=average|gesamt=total|gesamte=total|summe=total|maximale=maximum|maximaler=maximum|minimale=minimum|höchste=highest|höchsten=highest|niedrigste=lowest|niedrigsten=lowest|meisten=most|wenigsten=fewest|besten=best|schlechtesten=worst|anteil der=share of|anteil von=share of|anteil=share of|prozent=percent|mehr als=more than|weniger als=less than|mindestens=at least|höchstens=at most|zwischen=between|über=over|
    verglichen mit=compared with|im vergleich zu=compared with|vergleiche=compare|gegenüber=versus|verlauf=over time|im zeitverlauf=over time|entwicklung=trend|tag=day|tage=days|woche=week|wochen=weeks|monat=month|monate=months|quartal=quarter|jahr=year|jahre=years|stunde=hour|täglich=daily|monatlich=monthly|letzten=last|letzter=last|letzte=last|letztes=last|diesen=this|dieses=this|diese=this|vorherigen=previous|gestern=yesterday|heute=today|seit=since|bis=until|
    januar=January|februar=February|märz=March|mai=May|juni=June|juli=July|oktober=October|dezember=December|sortiert nach=sorted by|absteigend=descending|aufsteigend=ascending|stattdessen=instead|auch=also|als tabelle=as a table|als balkendiagramm=as a bar chart|als liniendiagramm=as a line chart|als kreisdiagramm=as a pie chart|verteilung der=distribution of|verteilung=distribution of|bei=in|warum=why|wieso=why|wie=how|läuft=going|wie läuft es=how are we doing|wie läuft das geschäft=how are we doing|überblick=overview|laufende summe=running total of|kumuliert=cumulative|kumulierte=cumulative|ungewöhnlich=unusual|ungewöhnliche=unusual|ungewöhnliches=unusual|etwas ungewöhnliches=anything unusual|ausreißer=outliers|gewachsen=grew|gestiegen=rose|gesunken=fell|zurückgegangen=fell|gefallen=fell|verbessert=improved|verschlechtert=worsened|am meisten=most|am stärksten=most|ersetze=replace|durch=with|entferne=remove|statt=instead of|anstelle von=instead of|ist=is|sind=are|hat=has|haben=have|sich=|größten=biggest|größte=biggest|rückgang=decrease|anstieg=increase|
    zum=to|zur=to|im vergleich zum=compared with|im vergleich zur=compared with|gegen=versus|wie viel=how much|wie viel prozent der=what percent of|wie viel prozent von=what percent of|viel=much|kein=no|keine=no|keinen=no|keiner=no|einem=a|einer=a|eines=a|hatte=had|hatten=had|wurden=were|wurde=was|verkauft=sold|verändert=changed|geändert=changed|entwickelt=developed|niedrigster=lowest|niedrigstes=lowest|höchster=highest|höchstes=highest|beim=in|anteil des=share of|anteil am=share of|erste=first|ersten=first|erstes=first|zweite=second|zweiten=second|zweites=second|dritte=third|dritten=third|drittes=third|vierte=fourth|vierten=fourth|viertes=fourth|quartale=quarters|montag=Monday|dienstag=Tuesday|mittwoch=Wednesday|donnerstag=Thursday|freitag=Friday|samstag=Saturday|sonntag=Sunday|montags=Mondays|freitags=Fridays|wochenende=weekends`,
  es: `cuántos=how many|cuántas=how many|número de=number of|cantidad de=number of|cuál es=what is|cuál fue=what was|cuáles=which|qué=which|muéstrame=show|muestra=show|dame=show|hay=are there|hubo=were there|
    el=the|la=the|los=the|las=the|un=a|una=a|es=is|fue=was|son=are|con=with|sin=without|excepto=except|solo=only|y=and|o=or|en=in|de=of|del=of|a=to|por=by|por cada=for each|para cada=for each|cada=each|según=by|
    media=average|medio=average|promedio=average|promedio de=average|total=total|suma de=total|máximo=maximum|máxima=maximum|mínimo=minimum|mínima=minimum|más alto=highest|más bajo=lowest|mayor=highest|menor=lowest|mejores=best|peores=worst|proporción de=share of|porcentaje de=percentage of|más de=more than|menos de=less than|al menos=at least|como máximo=at most|entre=between|
    comparado con=compared with|en comparación con=compared with|compara=compare|frente a=versus|a lo largo del tiempo=over time|evolución de=trend of|tendencia de=trend of|día=day|días=days|semana=week|semanas=weeks|mes=month|meses=months|trimestre=quarter|año=year|años=years|hora=hour|último=last|última=last|últimos=last|últimas=last|este=this|esta=this|anterior=previous|ayer=yesterday|hoy=today|desde=since|hasta=until|
    enero=January|febrero=February|marzo=March|abril=April|mayo=May|junio=June|julio=July|agosto=August|septiembre=September|octubre=October|noviembre=November|diciembre=December|ordenado por=sorted by|descendente=descending|ascendente=ascending|también=also|como tabla=as a table|distribución de=distribution of|por qué=why|cómo=how|vamos=going|cómo vamos=how are we doing|resumen=overview|acumulado=cumulative|acumulada=cumulative|inusual=unusual|algo inusual=anything unusual|valores atípicos=outliers|atípicos=outliers|aumentó=rose|subió=rose|bajó=fell|cayó=fell|disminuyó=fell|creció=grew|crecieron=grew|mejoró=improved|mejoraron=improved|empeoró=worsened|empeoraron=worsened|reemplaza=replace|quita=remove|elimina=remove|en lugar de=instead of|en vez de=instead of|aumento=increase|caída=decrease|más=most|
    qué porcentaje de=what percentage of|porcentaje=percentage|proporción del=share of|porcentaje del=percentage of|evolución del=trend of|tiene=has|tienen=have|tuvo=had|tuvieron=had|que=that|superior a=more than|inferior a=less than|se vendieron=were sold|vendido=sold|vendidos=sold|cambió=changed|cambiado=changed|ha cambiado=changed|primer=first|segundo=second|tercer=third|cuarto=fourth|mes pasado=last month|año pasado=last year|semana pasada=last week|trimestre pasado=last quarter|ningún=no|ninguna=no|al=to|contra=versus|lunes=Monday|martes=Tuesday|miércoles=Wednesday|jueves=Thursday|viernes=Friday|sábado=Saturday|domingo=Sunday`,
  fr: `combien de=how many|combien d=how many|nombre de=number of|nombre d=number of|quel est=what is|quelle est=what is|quel était=what was|quelle était=what was|quels=which|quelles=which|quel=which|quelle=which|montre-moi=show|montre=show|affiche=show|donne-moi=show|y a-t-il eu=were there|y a-t-il=are there|
    le=the|la=the|les=the|l=the|un=a|une=a|des=of|du=of|de=of|d=of|est=is|sont=are|était=was|avec=with|sans=without|sauf=except|seulement=only|et=and|ou=or|en=in|dans=in|à=to|par=by|pour chaque=for each|chaque=each|selon=by|
    moyen=average|moyenne=average|moyenne de=average|total=total|totale=total|somme de=total|maximum=maximum|maximal=maximum|minimal=minimum|le plus élevé=highest|la plus élevée=highest|le plus bas=lowest|meilleurs=best|meilleures=best|pires=worst|part de=share of|part des=share of|pourcentage de=percentage of|plus de=more than|moins de=less than|au moins=at least|au plus=at most|entre=between|
    au=in|par rapport à=compared with|comparé à=compared with|compare=compare|contre=versus|au fil du temps=over time|évolution de=trend of|évolution des=trend of|tendance de=trend of|jour=day|jours=days|semaine=week|semaines=weeks|mois=month|trimestre=quarter|an=year|année=year|ans=years|heure=hour|dernier=last|dernière=last|derniers=last|dernières=last|ce=this|cette=this|précédent=previous|hier=yesterday|depuis=since|jusqu=until|
    janvier=January|février=February|mars=March|avril=April|mai=May|juin=June|juillet=July|août=August|septembre=September|octobre=October|novembre=November|décembre=December|trié par=sorted by|décroissant=descending|croissant=ascending|aussi=also|comme tableau=as a table|répartition de=distribution of|répartition des=distribution of|pourquoi=why|comment=how|va=going|comment ça va=how are we doing|aperçu=overview|cumul de=running total of|cumulé=cumulative|cumulée=cumulative|inhabituel=unusual|quelque chose d'inhabituel=anything unusual|valeurs aberrantes=outliers|aberrantes=outliers|a augmenté=rose|augmenté=rose|a baissé=fell|baissé=fell|a diminué=fell|diminué=fell|progressé=grew|amélioré=improved|empiré=worsened|remplace=replace|remplacer=replace|enlève=remove|retire=remove|au lieu de=instead of|hausse=increase|baisse=decrease|le plus=most|
    quel pourcentage de=what percentage of|quel pourcentage des=what percentage of|pourcentage des=percentage of|part du=share of|évolution du=trend of|évolution de la=trend of|a=has|ont=have|avait=had|avaient=had|supérieur à=more than|supérieure à=more than|inférieur à=less than|inférieure à=less than|été vendus=were sold|vendus=sold|vendues=sold|changé=changed|évolué=changed|a-t-il=has|a-t-elle=has|ont-ils=have|premier=first|deuxième=second|troisième=third|quatrième=fourth|mois dernier=last month|mois passé=last month|année dernière=last year|semaine dernière=last week|trimestre dernier=last quarter|aucun=no|aucune=no|moyens=average|moyennes=average|combien=how many|lundi=Monday|mardi=Tuesday|mercredi=Wednesday|jeudi=Thursday|vendredi=Friday|samedi=Saturday|dimanche=Sunday`,
} as const;

/**
 * Words of other languages. If a question contains them, the analyst states that it does not understand the language.
 */
const otherLanguages = new Set(
  'quanti quante quanto quale quali per della delle dello degli nel nella negli sono stati state mese anno media qual quantos quantas quais pelo pela dos das não houve mês foram hoeveel welke welk het een per maand jaar waren zijn aantal ile jak było jest które która liczba hur många vilka vilken är för varje hvor mange hvilke kaç hangi nedir için kolik bylo jaký'.split(
    ' ',
  ),
);
const otherScripts =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Greek}]/u;

interface Table {
  readonly phrases: ReadonlyMap<string, string>;
  readonly pattern: RegExp;
}

const tableOf = (text: string): Table => {
  const phrases = new Map(
    text.split('|').map(pair => {
      const [own = '', english = ''] = pair.trim().split('=');
      return [own, english] as const;
    }),
  );
  const longest = [...phrases.keys()].sort((a, b) => b.length - a.length);
  return { phrases, pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join('|')})(?![\\p{L}\\p{N}])`, 'giu') };
};
const languages: readonly Table[] = Object.values(tables).map(tableOf);
const codes = Object.keys(tables);

/** Languages of questions, as the analyst names them. */
export const languageNames = 'English, German, Spanish and French';

/** English function words whose foreign equivalent alone identifies the language: `nach` in `Umsatz nach Land`. */
const strong = new Set(
  'by|per|how many|how are we doing|for each|why|remove|replace|outliers|cumulative|without|versus|share of|percentage of|trend of'.split(
    '|',
  ),
);

/** `von 2016 zu 2017`, with the preposition that otherwise means “of”. */
const years = /\b(?:von|de|du)( (?:\p{L}+ )?\d{4} )(?:zu|bis|auf|a|à)(?= )/giu;

/** `T2`, `2e trimestre`, `2.º trimestre` and `2. Quartal`. The letter T is only French and Spanish. */
const quarters =
  /(?<![\p{L}\p{N}])(?:([1-4])(?:er|re|ère|e|ème|eme|º|ª|\.º|\.ª|\.) ?(?:trimestre|quartal)|t([1-4]))(?![\p{L}\p{N}])/giu;

/** German compounds that end with a question form: `Umsatzanteil` is the share of the Umsatz. */
const compounds = /(?<!\p{L})(\p{Lu}\p{L}{2,})(anteil|entwicklung|verteilung)(?!\p{L})/gu;

/**
 * Replaces the function words of German, Spanish and French with English ones, if a text has at least two of them, or a
 * grouping, and no other English function word. A name such as `Los Angeles` does not change the language.
 * @param isKnown - whether the model contains a word.
 */
export function toEnglish(given: string, isKnown: (word: string) => boolean = () => false): string {
  if (/["“„«]/.test(given)) return given;
  const text = given.replace(compounds, (whole, noun: string, form: string) =>
    isKnown(whole) || !isKnown(noun) ? whole : `${form.charAt(0).toUpperCase()}${form.slice(1)} ${noun}`,
  );
  const scores = languages.map(language => scoreOf(text, language));
  const best = Math.max(...scores);
  const language = languages[scores.indexOf(best)];
  if (best < 2 || language === undefined) return given;
  const isGerman = language === languages[0];
  return text
    .replace(quarters, (whole, ordinal?: string, short?: string) =>
      short !== undefined && isGerman ? whole : `Q${ordinal ?? short}`,
    )
    .replace(years, 'from$1to')
    .replace(language.pattern, phrase => language.phrases.get(phrase.toLowerCase()) ?? phrase);
}

/**
 * Returns the locale of the labels of an answer, such as the names of periods: the given one, unless the words of the
 * question identify another language.
 */
export function labelLocale(question: string, locale: string): string {
  const language = languageOf(question);
  return language === null || locale.toLowerCase().split('-')[0] === language ? locale : language;
}

function languageOf(text: string): string | null {
  const scores = languages.map(language => scoreOf(text, language));
  const best = Math.max(...scores);
  if (best >= 2) return codes[scores.indexOf(best)] ?? null;
  const words = text.match(/\p{L}+/gu) ?? [];
  return best < 1 && words.filter(word => isEnglish(word.toLowerCase())).length > 1 ? 'en' : null;
}

function scoreOf(text: string, { phrases, pattern }: Table): number {
  const own = text.match(pattern) ?? [];
  // A name in another language, such as `First Class`, is capitalized.
  const rest = text.replace(pattern, ' ').match(/(?<!\p{L})\p{Ll}{2,}|^\W*\p{Lu}\p{Ll}+/gu) ?? [];
  const english = rest.filter(word => isEnglish(word.toLowerCase().replace(/^\P{L}+/u, '')));
  const isStrong = own.some(phrase => strong.has(phrases.get(phrase.toLowerCase()) ?? ''));
  return own.length + (isStrong ? 1 : 0) - 2 * english.length;
}

/** Whether a word belongs to the structure of an English question. */
function isEnglish(word: string): boolean {
  const [read] = readWords(word);
  // German, Spanish and French also use these.
  if (/^(?:top|total|minimum|maximum)$/.test(word)) return false;
  return read !== undefined && (read.stop || isEmptyWord(word) || aggregateOf(word) !== undefined || isCueWord(word));
}

/** Whether unknown words of a question belong to a language that the analyst does not understand. */
export function isOtherLanguage(words: readonly string[]): boolean {
  return (
    words.some(word => otherScripts.test(word)) ||
    words.filter(word => otherLanguages.has(word.toLowerCase())).length > 1
  );
}
