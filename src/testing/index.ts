export { startTestingPlatform, type TestingOptions, type TestingPlatform } from './testing-platform.js';
