import type { Word } from '../vocabulary/words.js';
import type { Refusal } from './outcome.js';

const writing = new Set(
  'delete drop truncate alter insert update overwrite upsert create grant revoke send email mail post upload publish save schedule book cancel write execute rename edit modify'.split(
    ' ',
  ),
);
/** `create` is allowed before a chart, because `create a bar chart` only reads data. */
const charting =
  /\b(?:charts?|graphs?|plots?|diagrams?|histograms?|scatterplots?|barcharts?|tables?|visuali[sz]ations?|bars?|lines?)\b/;
const predicting =
  /\b(?:forecasts?|predict(?:s|ed|ion|ions)?|projections?|extrapolate|prognosis|will|expected to|going to|next (?:day|week|month|quarter|year)|tomorrow|in (?:the )?future)\b/;
/** Requests for a cause. */
export const causing =
  /\b(?:why|because|reasons? (?:for|of|why)|causes? of|the causes?|causing|(?:is|are|was|were) caused by|root cause|explain|how come|what (?:led to|led|drives|drove|caused|is behind|was behind))\b/i;
/** Requests for the main measures. */
export const overview =
  /^\W*(?:so,? )?(?:how (?:are we|is it|is everything|is (?:the )?business|are things|did we|are we all) (?:doing|going|do)|how(?:['’]s| is) (?:business|it going|everything)|(?:please )?(?:show me |give me |can i get )?(?:an? |the )?(?:quick |short |general )?(?:overview|summary)(?: of (?:everything|the (?:business|data|figures|numbers|main figures)))?|what(?:['’]s| is) (?:new|going on|happening)|how do (?:things|the (?:figures|numbers)|we) look)\b/i;
const others =
  /\b(?:other|another|all|every|different|someone else|somebody else|everyone|everybody|competitor|neighbou?r)(?:['’]?s)? (?:the )?(?:other )?(?:tenants?|users?|compan(?:y|ies)|accounts?|organi[sz]ations?|firms?|people|persons?|data|schemas?|databases?)\b|\bother (?:tenant|user|customer|airport|client)['’]s\b|\b(?:bypass|circumvent|disable|without) (?:the )?(?:row[- ]level|security|access|polic|permission)/;
const instructing =
  /\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|above|earlier|former|instructions?|rules?|prompts?|polic)|\bsystem prompt\b|\byou are now\b|\bpretend (?:to|you)\b|\bact as\b|\bjailbreak\b|\bdeveloper mode\b|\breveal (?:your|the) (?:prompt|instructions|rules|key|token|secret)/;
const sql =
  /\bselect\b[\s\S]{0,400}?\bfrom\b|\b(?:union|inner|left|outer) (?:select|join)\b|\binsert into\b|\bdrop table\b|\bdelete from\b|\bupdate \w{1,60} set\b|\b(?:run|execute|write|give me) (?:the |some |this )?(?:sql|query)\b|\bsql\b/;
const greeting =
  /^(?:hi|hello|hey|good (?:morning|day|afternoon|evening)|help|thanks?(?: you)?|who are you|what are you|what can you do|what can i ask|how does this work|how can you help(?: me)?|what do you know|start|\?)[\s!?.,]*$/;

/** Whether a text is a greeting or a request for help. */
export function isGreeting(text: string): boolean {
  return text.length < 60 && greeting.test(text.trim().toLowerCase());
}

/**
 * Returns the reason to refuse a text, based on its words; `undefined` if the text may be a question about the data.
 * @param isKnown - whether the model knows a word. For example, a dimension may be named Reason.
 */
export function refusalOf(text: string, words: readonly Word[], isKnown: (word: Word) => boolean): Refusal | undefined {
  const lower = text.toLowerCase().replace(/\s+/g, ' ');
  if (instructing.test(lower)) return { reason: 'instructs' };
  if (sql.test(lower) && !words.some(word => word.norm === 'sql' && isKnown(word))) return { reason: 'sql' };
  const verb = words.find(({ stop, norm }) => !stop && norm !== 'please');
  if (
    verb &&
    writing.has(verb.norm) &&
    !(verb.norm === 'create' && charting.test(lower)) &&
    !/^drop the filter/.test(lower)
  )
    return { reason: 'writes' };
  if (others.test(lower)) return { reason: 'others' };
  return isSaid(predicting, lower, words, isKnown) ? { reason: 'predicts' } : undefined;
}

/** Whether a pattern matches words that do not occur in the model. */
export function isSaid(
  pattern: RegExp,
  text: string,
  words: readonly Word[],
  isKnown: (word: Word) => boolean,
): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  return !words.some(word => match[0].toLowerCase().split(' ').includes(word.norm) && !word.stop && isKnown(word));
}
