import { filterOperators } from '../../../contract/query.js';
import { RowLimit } from '../../../contract/row-limit.js';
import type { JsonObject } from '../../../contract/wire.js';

const names = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const timeDimensions = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      dimension: { type: 'string', description: 'A member of type time.' },
      granularity: {
        type: 'string',
        description:
          'second, minute, hour, day, week, month, quarter, year; without one, rows are filtered and not grouped.',
      },
      dateRange: {
        description: '["2024-01-01", "2024-03-31"], both included, or a phrase such as "last 3 months", "this year".',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    },
    required: ['dimension'],
  },
};

const filters = {
  type: 'array',
  description: 'All of them hold. {"or": [filter, …]} and {"and": [filter, …]} nest them.',
  items: {
    type: 'object',
    properties: {
      member: { type: 'string' },
      operator: { type: 'string', enum: filterOperators },
      values: { type: 'array', items: { type: 'string' }, description: 'Any of them; none for set and notSet.' },
    },
  },
};

/**
 * JSON Schema of the input of `dataQuery`, as models are told of it: plain, since many of them know neither references nor unions.
 * What is sent is checked by the Data API's own schemas.
 */
export const queryParameters: JsonObject = {
  type: 'object',
  properties: {
    query: {
      type: 'object',
      properties: {
        measures: names('What is counted or summed, such as ["orders.count"].'),
        dimensions: names('What rows are grouped by.'),
        segments: names('Ready-made filters of the model.'),
        timeDimensions,
        filters,
        order: {
          type: 'array',
          description: '[["orders.count", "desc"]]',
          items: { type: 'array', items: { type: 'string' } },
        },
        limit: { type: 'integer', minimum: 1, maximum: RowLimit.max },
        timezone: { type: 'string', description: "IANA name; the user's by default." },
      },
    },
    queryTitle: { type: 'string', description: 'A short title of the result.' },
    description: { type: 'string', description: 'One sentence: what was asked of the data.' },
    vegaSpec: {
      type: 'string',
      description:
        'Vega-Lite as JSON text where a chart says more than a table: mark, encoding and layer alone, without data, transforms and ' +
        'expressions. Fields are the members of the query, a grouped time ' +
        'dimension with its granularity: "orders.created_at.month". Numbers and times come as text and are read by the type of their ' +
        'encoding: quantitative, temporal.',
    },
  },
  required: ['query', 'queryTitle', 'description'],
};
