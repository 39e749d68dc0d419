import type { DashboardConfig } from '../../contract/dashboards.js';

/** Settings of a dashboard that the editor changes. */
export interface BoardSettings {
  /** Text below the heading; empty if there is none. */
  readonly description: string;
  /** IANA time zone of all queries; an empty string selects the time zone of the page or the account. */
  readonly timezone: string;
  /** When a selected mark filters the other tiles: always, only if chosen in the menu of the mark, or never. */
  readonly crossFilter: 'always' | 'menu' | 'never';
  /** Whether downloads of rows are disabled for all viewers. */
  readonly restrictDataDownload: boolean;
}

const crossFilters = { always: true, menu: undefined, never: false } as const;

const fixedCrossFilter = (isOn: boolean) => (isOn ? 'always' : 'never');

/** Returns the settings of a dashboard. Values with an unexpected type are ignored. */
export function boardSettings({ description, settings }: DashboardConfig): BoardSettings {
  const { timezone, crossFilter, restrictDataDownload } = settings ?? {};
  return {
    description: description ?? '',
    timezone: typeof timezone === 'string' ? timezone : '',
    crossFilter: typeof crossFilter === 'boolean' ? fixedCrossFilter(crossFilter) : 'menu',
    restrictDataDownload: restrictDataDownload === true,
  };
}

/** Returns the dashboard with changed settings. Settings that the editor does not know are preserved. */
export function changeBoardSettings(config: DashboardConfig, changed: BoardSettings): DashboardConfig {
  const { description: _, settings, ...others } = config;
  const { timezone: __, crossFilter: ___, restrictDataDownload: ____, ...unknown } = settings ?? {};
  const crossFilter = crossFilters[changed.crossFilter];
  const next = {
    ...unknown,
    ...(changed.timezone !== '' && { timezone: changed.timezone }),
    ...(crossFilter !== undefined && { crossFilter }),
    ...(changed.restrictDataDownload && { restrictDataDownload: true }),
  };
  return {
    ...others,
    ...(changed.description !== '' && { description: changed.description }),
    ...(Object.keys(next).length > 0 && { settings: next }),
  };
}
