import type { ReactiveControllerHost } from 'lit';
import { ViewportController } from '../../../controllers/viewport-controller.js';
import type { PaTile } from './tile-element.js';

/** Maximum time that tiles near the viewport wait for tiles in it, ms. */
const maxWaitMs = 1_000;

/** Creates a controller that loads the tiles of an element when they approach the viewport. */
export function nearTiles(host: ReactiveControllerHost): ViewportController<PaTile> {
  return new ViewportController<PaTile>(host, (onScreen, nextToIt) => void loadTiles(onScreen, nextToIt));
}

/** Loads tiles in the viewport immediately, and those near it when the first have settled or after `maxWaitMs`. */
async function loadTiles(onScreen: readonly PaTile[], nextToIt: readonly PaTile[]): Promise<void> {
  markWanted(onScreen);
  if (onScreen.length > 0 && nextToIt.length > 0) await settledOrLate(onScreen);
  markWanted(nextToIt);
}

function markWanted(tiles: readonly PaTile[]): void {
  for (const tile of tiles) tile.isRequested = true;
}

function settledOrLate(tiles: readonly PaTile[]): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, maxWaitMs);
    void Promise.all(tiles.map(tileSettled)).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function tileSettled(tile: PaTile): Promise<void> {
  // The tile may not have received its content yet.
  await tile.updateComplete;
  await tile.settled;
}
