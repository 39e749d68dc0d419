import type { GridItem } from './grid-layout.js';

/** A position on the grid without its widget. */
export type GridBox = Pick<GridItem, 'x' | 'y' | 'w' | 'h'>;

/** Smallest size of a widget, in columns and rows. */
const minSize = { w: 1, h: 2 } as const;
const maxHeight = 60;

/**
 * Moves an item. If it overlaps another item, that item moves up if there is enough space above it, so that the two
 * items swap positions. Otherwise, the other item moves down, unless the moved item starts in its lower half: then the
 * moved item is placed below it. Finally, all items move up to close gaps.
 */
export function moveItem(items: readonly GridItem[], id: string, x: number, y: number, columns: number): GridItem[] {
  return changeItem(
    items,
    id,
    ({ w, h }) => ({ x: between(0, x, columns - w), y: Math.max(0, y), w, h }),
    resolveOverlaps,
  );
}

/** Resizes an item, and moves items that it overlaps down. Gaps are closed upwards. */
export function resizeItem(items: readonly GridItem[], id: string, w: number, h: number, columns: number): GridItem[] {
  return changeItem(items, id, ({ x, y }) => ({
    x,
    y,
    w: between(minSize.w, w, columns - x),
    h: between(minSize.h, h, maxHeight),
  }));
}

/** Adds an item at the first position from the top where it fits without moving others. */
export function addItem(
  items: readonly GridItem[],
  { id, w, h }: Pick<GridItem, 'id' | 'w' | 'h'>,
  columns: number,
): GridItem[] {
  const width = Math.min(w, columns);
  const end = Math.max(0, ...items.map(below));
  for (let y = 0; y <= end; y += 1) {
    for (let x = 0; x + width <= columns; x += 1) {
      const item = { id, x, y, w: width, h };
      if (!items.some(other => collide(item, other))) return [...items, item];
    }
  }
  return [...items, { id, x: 0, y: end, w: width, h }];
}

/** Removes an item, and closes the gap. */
export function removeItem(items: readonly GridItem[], id: string): GridItem[] {
  return settle(items.filter(item => item.id !== id));
}

/** Adds a copy of an item: next to it if it fits there, otherwise at the first free position. */
export function duplicateItem(
  items: readonly GridItem[],
  { id, copy }: { readonly id: string; readonly copy: string },
  columns: number,
): GridItem[] {
  const found = items.find(item => item.id === id);
  if (!found) return [...items];
  const next = { ...found, id: copy, x: found.x + found.w };
  const isFree = next.x + next.w <= columns && !items.some(other => collide(next, other));
  return isFree ? [...items, next] : addItem(items, { ...found, id: copy }, columns);
}

/** Returns the items in reading order: from top to bottom, then from left to right. */
export function inReadingOrder(items: readonly GridItem[]): GridItem[] {
  return [...items].sort((a, b) => a.y - b.y || a.x - b.x);
}

function changeItem(
  items: readonly GridItem[],
  id: string,
  change: (item: GridItem) => GridBox,
  prepare?: (items: readonly GridItem[], changed: GridItem) => GridItem[],
): GridItem[] {
  const found = items.find(item => item.id === id);
  if (!found) return [...items];
  const changed = { id, ...change(found) };
  const replaced = items.map(item => (item.id === id ? changed : item));
  const prepared = prepare?.(replaced, changed) ?? replaced;
  return settle(prepared, prepared.find(item => item.id === id) ?? changed);
}

/**
 * Resolves overlaps with a moved item: moves an overlapped item above it, or moves the moved item below an item whose
 * lower half it overlaps.
 */
function resolveOverlaps(items: readonly GridItem[], moved: GridItem): GridItem[] {
  const lifted = [...items];
  for (const item of inReadingOrder(items)) {
    if (item.id === moved.id || !collide(item, moved)) continue;
    const up = { ...item, y: moved.y - item.h };
    const isFree = up.y >= 0 && !lifted.some(other => other.id !== item.id && collide(up, other));
    if (isFree) lifted[lifted.findIndex(({ id }) => id === item.id)] = up;
  }
  const above = lifted.filter(item => item.id !== moved.id && collide(item, moved) && moved.y >= item.y + item.h / 2);
  const y = Math.max(moved.y, ...above.map(below));
  return lifted.map(item => (item.id === moved.id ? { ...moved, y } : item));
}

/**
 * Resolves collisions and closes gaps. An item that was changed keeps its position while the others move down; in the
 * end, all move up as far as they can.
 */
function settle(items: readonly GridItem[], first?: GridItem): GridItem[] {
  const apart: GridItem[] = first ? [first] : [];
  for (const item of inReadingOrder(items)) {
    if (item.id !== first?.id) apart.push(moveDown(item, apart));
  }
  const settled: GridItem[] = [];
  for (const item of inReadingOrder(apart)) settled.push(moveUp(item, settled));
  const byId = new Map(settled.map(item => [item.id, item]));
  return items.flatMap(({ id }) => byId.get(id) ?? []);
}

function moveDown(item: GridItem, placed: readonly GridItem[]): GridItem {
  let moved = item;
  for (let hit = find(moved, placed); hit; hit = find(moved, placed)) moved = { ...moved, y: below(hit) };
  return moved;
}

function moveUp(item: GridItem, placed: readonly GridItem[]): GridItem {
  const above = placed.filter(other => other.x < item.x + item.w && item.x < other.x + other.w);
  return { ...item, y: Math.max(0, ...above.map(below)) };
}

function find(item: GridItem, placed: readonly GridItem[]): GridItem | undefined {
  return placed.find(other => collide(item, other));
}

function collide(a: GridItem, b: GridItem): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < below(b) && b.y < below(a);
}

function below({ y, h }: GridItem): number {
  return y + h;
}

function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(Math.round(value), high));
}
