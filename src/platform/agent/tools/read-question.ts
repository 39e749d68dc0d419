import * as z from 'zod/mini';
import { ToolName } from '../../../contract/chat.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { AgentTool } from '../agent.js';
import { readInput } from './tool-input.js';

const maxQuestion = 2000;
const Input = z.strictObject({ question: z.string().check(z.minLength(1), z.maxLength(maxQuestion)) });

/**
 * Creates the tool that interprets a question for a language model in the same way as the built-in analyst. The tool
 * returns queries for `dataQuery` without running them, or states what is unclear.
 * @param read - reads a question in the context of the caller.
 */
export function createReadQuestion(read: (question: string, signal: AbortSignal) => Promise<JsonObject>): AgentTool {
  return {
    name: ToolName.readQuestion,
    description:
      'Translates one question in plain English, such as "top 5 products by revenue last month", into queries for dataQuery, by fixed rules. ' +
      'It knows titles, synonyms and values of the model, and turns dates into ranges. Compare "understood" with the question before you run a query. ' +
      'If it returns "unclear", ask the user or write the query yourself.',
    parameters: {
      type: 'object',
      properties: { question: { type: 'string', maxLength: maxQuestion } },
      required: ['question'],
      additionalProperties: false,
    },
    run: (input, { signal }) => Promise.resolve().then(() => read(readInput(Input, input).question, signal)),
  };
}
