const wordsOf = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '));

/**
 * Words that add nothing to a question about data. The analyst ignores only these words and `connectingWords`. It
 * rejects a question if any other word is not part of the reading.
 */
const emptyWords = wordsOf(
  // Requests
  'show showing shows display displaying displays give giving tell see view get find look looking like want need know generate render list visualize visualise visualization visualisation present presenting illustrate draw create creating make build plot plots plotting chart charts charting graph graphs diagram diagrams figure figures calculate compute determine provide pull using use select help let lets',
  'please kindly hi hello hey thanks thank yes no answer analyze analyse analysis summary summarize summarise overview report information info data dataset numbers value values result results',
  // Function words
  'many much every each all overall altogether across per between during via also only just again really exactly currently current actual about still whole entire full complete various different general proper identical individual through respective respectively corresponding specific certain particular given their own itself together both either',
  'vary varies varying differ differs based depending regarding concerning relating corresponds according breakdown break down split splits group groups grouped grouping out up times way ways',
  // Layout of a chart
  'x y axis axes abscissa ordinate legend label labels color colors colour colours colored coloured coloring point points dots circle stacked grouped clustered vertical horizontal trellised facet faceted small multiples multiple panel panels series separate separately simple',
);

/**
 * Verbs and participles that only connect other words, unless the data contains them as a value, such as the status
 * `paid`.
 */
const connectingWords = wordsOf(
  'return returns representing represents depicting depicts indicating indicates represent indicate depict containing contained including included broken produce produced manufactured go goes went going come comes came travel traveled fly flew flown flies left leave leaves serve served take took taken place happen happened occur occurred made exist existed live lives located placed belong belongs used sold paid bought purchased handled processed received reported registered recorded seen ran run held done got volume volumes but amount amounts behave behaves segregated pairs',
);

/** Whether a word adds nothing to a question. */
export function isEmptyWord(norm: string): boolean {
  return emptyWords.has(norm) || norm === ',';
}

/** Whether a word adds nothing to a question unless it is a value of the data. */
export function isConnectingWord(norm: string): boolean {
  return connectingWords.has(norm);
}
