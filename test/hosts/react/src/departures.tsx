import 'pa-embed/styles.css';
import type { Filters } from 'pa-embed';
import { PaDashboard, PaSession, useRows } from 'pa-embed/react';
import { useState } from 'react';

export function Departures({ baseUrl, publicId }: { baseUrl: string; publicId: string }) {
  const [filters, setFilters] = useState<Filters | null>(null);
  const [loads, setLoads] = useState(0);
  return (
    <PaSession sessionUrl="/api/embed-session" baseUrl={baseUrl}>
      <button type="button" onClick={() => setFilters({ 'departures.destination_state': { value: ['CA'] } })}>
        California
      </button>
      <p>
        Loaded: {loads}. <Total />
      </p>
      <PaDashboard
        publicId={publicId}
        filters={filters}
        onPaLoad={() => setLoads(count => count + 1)}
        onPaError={event => console.error(event.detail.code)}
      />
    </PaSession>
  );
}

const query = { measures: ['departures.count'] };

function Total() {
  const { rows, status } = useRows(query);
  return <output>{rows ? `Flights: ${rows.rows[0]?.['departures.count']}` : status}</output>;
}
