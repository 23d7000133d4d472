export { scoringConfig } from './config.js';
export { startScoring } from './start.js';
