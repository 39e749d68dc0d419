export { explainMissingPackage } from '../render/missing-package.js';
