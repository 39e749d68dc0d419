/** Parts of a transcript that a host may style, for `exportparts` of the element around it. */
export const transcriptParts =
  'transcript, day, question, answer, working, thinking, end, tool, usage, latest, step, code, copy, result, heading, chart, tooltip, table, markdown-table, button';
