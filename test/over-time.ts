export { withFakeTimers as overTime } from './with-fake-timers.js';
