import type { Choice } from './outcome.js';
import { readWords, stemsOf } from './words.js';

const ordinals: readonly RegExp[] = [
  /^(?:1|first|1st|former|one)$/,
  /^(?:2|second|2nd|latter|two)$/,
  /^(?:3|third|3rd|three)$/,
  /^(?:4|fourth|4th|four)$/,
];
const fillers = new Set('the one option choice number i mean meant please yes ok okay'.split(' '));
const yes = /^(?:yes|y|yep|sure|right|exactly|correct|ok|okay)\b/i;

/** The choice that a text makes, by its place or by its words; undefined where it makes none. */
export function choiceIn(text: string, choices: readonly Choice[]): Choice | undefined {
  if (text.length > 200 || choices.length === 0) return undefined;
  if (choices.length === 1 && yes.test(text.trim())) return choices[0];
  const words = readWords(text).filter(({ norm }) => !fillers.has(norm) && norm !== ',');
  const [only, ...others] = words;
  if (only && others.length === 0) {
    const place = ordinals.findIndex(pattern => pattern.test(only.norm));
    if (place >= 0) return choices[place];
    if (only.norm === 'last') return choices.at(-1);
  }
  const stems = words.filter(({ stop }) => !stop).map(({ stem }) => stem);
  if (stems.length === 0) return undefined;
  const named = choices.filter(({ label }) => {
    const own = new Set(stemsOf(label));
    return stems.every(stem => own.has(stem));
  });
  const exact = named.filter(({ label }) => stemsOf(label).length === stems.length);
  return named.length === 1 ? named[0] : exact.length === 1 ? exact[0] : undefined;
}
