import { chartMessages } from '../parts/chart/chart-messages.js';
import { containerMessages } from '../parts/container/container-messages.js';
import { controlsMessages } from '../parts/controls/controls-messages.js';
import { drillMessages } from '../parts/drill/drill-messages.js';
import { htmlMessages } from '../parts/html/html-messages.js';
import { kpiMessages } from '../parts/kpi/kpi-messages.js';
import { mapMessages } from '../parts/map/map-messages.js';
import { menuMessages } from '../parts/menu/menu-messages.js';
import { sankeyMessages } from '../parts/sankey/sankey-messages.js';
import { tableMessages } from '../parts/table/table-messages.js';
import { dashboardLoaders } from './dashboard-translations.js';
import { pageMessages } from './page-messages.js';
import { printMessages } from './print-messages.js';
import type { DashboardTranslations } from './translations.js';

const english: DashboardTranslations = {
  page: pageMessages,
  chart: chartMessages,
  container: containerMessages,
  controls: controlsMessages,
  drill: drillMessages,
  html: htmlMessages,
  kpi: kpiMessages,
  map: mapMessages,
  menu: menuMessages,
  print: printMessages,
  sankey: sankeyMessages,
  table: tableMessages,
};

/** Loads all messages of dashboards in the language of a BCP 47 tag; English if there is no translation. */
export async function loadDashboardMessages(locale: string): Promise<DashboardTranslations> {
  const language = locale.split('-', 1)[0]?.toLowerCase() ?? '';
  return isTranslated(language) ? dashboardLoaders[language]() : english;
}

function isTranslated(language: string): language is keyof typeof dashboardLoaders {
  return Object.hasOwn(dashboardLoaders, language);
}
