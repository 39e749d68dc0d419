import type { ChartTheme } from '../charts/view.js';
import type { DashboardScene } from '../scene/dashboard-scene.js';
import type { Fonts } from './fonts.js';
import type { ColorReader } from './render-colors.js';

/** State shared by all parts of a file. */
export interface RenderContext extends DashboardScene {
  readonly fonts: Fonts;
  readonly chartTheme: ChartTheme;
  /** Resolves CSS colors. */
  readonly readColor: ColorReader;
}
