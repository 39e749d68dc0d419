/** `running_share` as `Running share`; what was written with capitals or spaces stays as it is. */
export function readable(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
