/** A span of time as people say it, in whole seconds: `12s`, `2m 5s`. */
export function elapsedText(ms: number, locale: string): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const say = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(value);
  const rest = say(seconds % 60, 'second');
  return minutes === 0 ? rest : `${say(minutes, 'minute')} ${rest}`;
}
