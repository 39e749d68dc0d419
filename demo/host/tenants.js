/**
 * The host's customers. `airport` limits the rows that a tenant can see; the host's server sets it in each session. The
 * roles decide whether rows can be downloaded.
 */
export const tenants = [
  { id: 'ohare', name: 'Chicago O’Hare', airport: 'ORD', user: 'rosa@ohare.example', roles: ['AIBIViewer'] },
  { id: 'dallas', name: 'Dallas/Fort Worth', airport: 'DFW', user: 'sam@dfw.example', roles: [] },
  { id: 'atlanta', name: 'Atlanta', airport: 'ATL', user: 'ada@atl.example', roles: ['AIBIViewer'] },
];

/** An employee of this host, and a user of the platform: sees all airports, and may pin answers to dashboards. */
export const analyst = { id: 'analyst', name: 'Analyst', airport: 'All', user: 'admin', roles: [] };
