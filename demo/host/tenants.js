/**
 * The host's own customers. What each may see is decided here, on the server, and signed into its session; the roles say whether its rows
 * may be downloaded.
 */
export const tenants = [
  { id: 'ohare', name: 'Chicago O’Hare', airport: 'ORD', user: 'rosa@ohare.example', roles: ['AIBIViewer'] },
  { id: 'dallas', name: 'Dallas/Fort Worth', airport: 'DFW', user: 'sam@dfw.example', roles: [] },
  { id: 'atlanta', name: 'Hartsfield–Jackson Atlanta', airport: 'ATL', user: 'ada@atl.example', roles: ['AIBIViewer'] },
];
