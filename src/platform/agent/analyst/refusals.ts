import type { Refusal } from './outcome.js';
import type { Word } from './words.js';

const writing = new Set(
  'delete drop truncate alter insert update overwrite upsert create grant revoke send email mail post upload publish save schedule book cancel write execute rename edit modify'.split(
    ' ',
  ),
);
const predicting =
  /\b(?:forecasts?|predict(?:s|ed|ion|ions)?|projections?|extrapolate|prognosis|will|expected to|going to|next (?:day|week|month|quarter|year)|tomorrow|in (?:the )?future)\b/;
const causing =
  /\b(?:why|because|reasons? (?:for|of|why)|causes?|caused|root cause|explain|how come|what (?:led|drives|drove))\b/;
const others =
  /\b(?:other|another|all|every|different|someone else|somebody else|everyone|everybody|competitor|neighbou?r)(?:['’]?s)? (?:the )?(?:other )?(?:tenants?|users?|compan(?:y|ies)|accounts?|organi[sz]ations?|firms?|people|persons?|data|schemas?|databases?)\b|\bother (?:tenant|user|customer|airport|client)['’]s\b|\b(?:bypass|circumvent|disable|without) (?:the )?(?:row[- ]level|security|access|polic|permission)/;
const instructing =
  /\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|above|earlier|former|instructions?|rules?|prompts?|polic)|\bsystem prompt\b|\byou are now\b|\bpretend (?:to|you)\b|\bact as\b|\bjailbreak\b|\bdeveloper mode\b|\breveal (?:your|the) (?:prompt|instructions|rules|key|token|secret)/;
const sql =
  /\bselect\b[\s\S]{0,400}?\bfrom\b|\b(?:union|inner|left|outer) (?:select|join)\b|\binsert into\b|\bdrop table\b|\bdelete from\b|\bupdate \w{1,60} set\b|\b(?:run|execute|write|give me) (?:the |some |this )?(?:sql|query)\b|\bsql\b/;
const greeting =
  /^(?:hi|hello|hey|good (?:morning|day|afternoon|evening)|help|thanks?(?: you)?|who are you|what are you|what can you do|what can i ask|how does this work|how can you help(?: me)?|what do you know|start|\?)[\s!?.,]*$/;

/** Whether a text greets, or asks what can be asked. */
export function isGreeting(text: string): boolean {
  return text.length < 60 && greeting.test(text.trim().toLowerCase());
}

/**
 * Why a text isn't a question about figures, by its own words; undefined where it may be one.
 * @param isKnown - whether the model has a word: a dimension called Reason may be asked for.
 */
export function refusalOf(text: string, words: readonly Word[], isKnown: (word: Word) => boolean): Refusal | undefined {
  const lower = text.toLowerCase().replace(/\s+/g, ' ');
  if (instructing.test(lower)) return { reason: 'instructs' };
  if (sql.test(lower) && !words.some(word => word.norm === 'sql' && isKnown(word))) return { reason: 'sql' };
  const verb = words.find(({ stop, norm }) => !stop && norm !== 'please');
  if (verb && writing.has(verb.norm) && !/^drop the filter/.test(lower)) return { reason: 'writes' };
  if (others.test(lower)) return { reason: 'others' };
  const said = (pattern: RegExp) => {
    const match = pattern.exec(lower);
    return (
      match !== null && !words.some(word => match[0].split(' ').includes(word.norm) && !word.stop && isKnown(word))
    );
  };
  if (said(causing)) return { reason: 'causes' };
  return said(predicting) ? { reason: 'predicts' } : undefined;
}
