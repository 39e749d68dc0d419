import { createElement, useEffect, useRef, useState } from 'react';

/**
 * Creates an application with the React components and the hook of the package. Both a server and the browser import
 * this module, so the package is passed as an argument.
 */
export function createApp({ PaDashboard, PaSession, useRows }) {
  const filters = { 'orders.status': { value: ['open'] } };
  const query = { measures: ['flights.count'] };

  function Count() {
    const { rows, status } = useRows(query);
    return createElement('output', {}, rows ? `Flights: ${rows.rows[0]['flights.count']}` : status);
  }

  return function App() {
    const [drills, setDrills] = useState(0);
    const board = useRef(null);
    useEffect(() => {
      document.title = `hydrated ${board.current.localName}`;
    }, []);
    return createElement(
      PaSession,
      { sessionUrl: '/api/embed-session', baseUrl: 'https://platform.example' },
      createElement(PaDashboard, {
        ref: board,
        className: 'board',
        publicId: 'abcdefghijkl',
        headingLevel: 3,
        restrictDownload: true,
        filters: drills < 2 ? filters : undefined,
        onPaDrill: () => setDrills(drills + 1),
      }),
      createElement('p', {}, `Drills: ${drills}`),
      createElement(Count),
    );
  };
}
