import { connection } from 'next/server';
import { Departures } from './departures';

// Without cacheComponents in the configuration of Next, remove this line.
export const instant = false;

export default async function Page() {
  // Rendered per request, because the content security policy contains a nonce.
  await connection();
  const { PA_BASE_URL = '', PA_PUBLIC_ID = '' } = process.env;
  return <Departures baseUrl={PA_BASE_URL} publicId={PA_PUBLIC_ID} />;
}
