/** Returns the index of the menu item that a key moves to from `current` (-1 for none); `null` for other keys. */
export function nextItem(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  labels: readonly string[],
  current: number,
): number | null {
  const last = labels.length - 1;
  if (last < 0 || ctrlKey || metaKey || altKey) return null;
  switch (key) {
    case 'ArrowDown':
      return current >= last ? 0 : current + 1;
    case 'ArrowUp':
      return current <= 0 ? last : current - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return key.length === 1 && key !== ' ' ? byLetter(key, labels, current) : null;
  }
}

/** Returns the next item that starts with a letter, wrapping at the end. */
function byLetter(letter: string, labels: readonly string[], current: number): number | null {
  const prefix = letter.toLocaleLowerCase();
  for (let step = 1; step <= labels.length; step += 1) {
    const index = (current + step) % labels.length;
    if (labels[index]?.trim().toLocaleLowerCase().startsWith(prefix)) return index;
  }
  return null;
}
