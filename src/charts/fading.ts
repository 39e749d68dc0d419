import { dataMarks, isLine, type SceneItem, type SceneMark } from './scene.js';

/** What is left of a mark that was not chosen. */
const faded = 0.3;

/**
 * Fades marks of a scene. An item keeps its own opacity beside: Vega's data flow must find it as it left it, so that what was faded is
 * undone before each run.
 */
export class Fading {
  readonly #before = new Map<SceneItem, number | undefined>();
  #isChosen: ((item: SceneItem) => boolean) | null = null;

  /** @param onChange Called with every item whose opacity changes. */
  constructor(private readonly onChange: (item: SceneItem) => void) {}

  /** All but the items of which this is true are faded from now on; null fades none. */
  choose(isChosen: ((item: SceneItem) => boolean) | null): void {
    this.#isChosen = isChosen;
  }

  /** Gives all items their own opacity. */
  undo(): void {
    for (const [item, opacity] of this.#before) {
      if (opacity === undefined) delete item.opacity;
      else item.opacity = opacity;
      this.onChange(item);
    }
    this.#before.clear();
  }

  /** Fades the items of a scene. */
  redo(root: SceneMark): void {
    const isChosen = this.#isChosen;
    if (!isChosen) return;
    for (const { mark } of dataMarks(root)) {
      const items = mark.items ?? [];
      const [first] = items;
      // A line has the opacity of its first point.
      if (!isLine(mark.marktype)) for (const item of items) this.#fade(item, isChosen(item));
      else if (first) this.#fade(first, items.some(isChosen));
    }
  }

  #fade(item: SceneItem, chosen: boolean): void {
    if (chosen) return;
    this.#before.set(item, item.opacity);
    item.opacity = (item.opacity ?? 1) * faded;
    this.onChange(item);
  }
}
