import { mount } from 'svelte';
import Departures from './Departures.svelte';

const { VITE_PLATFORM_URL, VITE_PUBLIC_ID } = import.meta.env;
const target = document.querySelector('#app');
if (target) mount(Departures, { target, props: { baseUrl: VITE_PLATFORM_URL, publicId: VITE_PUBLIC_ID } });
