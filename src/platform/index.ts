export { createPlatform, type Platform, type PlatformOptions } from './create-platform.js';
