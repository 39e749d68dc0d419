/** Maps the engine's name of a column type to a type of the model. */
export function columnType(engineType: unknown): string {
  const name = typeof engineType === 'string' ? engineType.toLowerCase() : '';
  if (/^(u?int(eger|\d+)?|bigint|smallint|tinyint|double|float(\d+)?|real|decimal|numeric|number)\b/.test(name))
    return 'number';
  if (/^(timestamp|datetime|date|time)/.test(name)) return 'time';
  return name.startsWith('bool') ? 'boolean' : 'string';
}
