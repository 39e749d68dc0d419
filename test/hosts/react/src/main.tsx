import { createRoot } from 'react-dom/client';
import { Departures } from './departures';

const { VITE_PLATFORM_URL, VITE_PUBLIC_ID } = import.meta.env;
const app = document.querySelector('#app');
if (app) createRoot(app).render(<Departures baseUrl={VITE_PLATFORM_URL} publicId={VITE_PUBLIC_ID} />);
