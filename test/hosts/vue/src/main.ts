import { createApp } from 'vue';
import Departures from './Departures.vue';

const { VITE_PLATFORM_URL, VITE_PUBLIC_ID } = import.meta.env;
createApp(Departures, { baseUrl: VITE_PLATFORM_URL, publicId: VITE_PUBLIC_ID }).mount('#app');
