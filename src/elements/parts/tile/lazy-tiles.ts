import type { ReactiveControllerHost } from 'lit';
import { ViewportController } from '../../../controllers/viewport-controller.js';
import type { PaTile } from './tile-element.js';

/** Longest that tiles next to the screen wait for those on it, in ms. */
const headStart = 1_000;

/** Has the tiles of an element load when they come near. */
export function nearTiles(host: ReactiveControllerHost): ViewportController<PaTile> {
  return new ViewportController<PaTile>(host, (onScreen, nextToIt) => void bringTiles(onScreen, nextToIt));
}

/** Brings in tiles: those on the screen at once, those next to it when the first have come to rest or take too long. */
async function bringTiles(onScreen: readonly PaTile[], nextToIt: readonly PaTile[]): Promise<void> {
  bring(onScreen);
  if (onScreen.length > 0 && nextToIt.length > 0) await settledOrLate(onScreen);
  bring(nextToIt);
}

function bring(tiles: readonly PaTile[]): void {
  for (const tile of tiles) tile.wanted = true;
}

function settledOrLate(tiles: readonly PaTile[]): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, headStart);
    void Promise.all(tiles.map(atRest)).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function atRest(tile: PaTile): Promise<void> {
  // What it holds may not have reached it yet.
  await tile.updateComplete;
  await tile.settled;
}
