export { Environment as ScoringEnvironment, scoringConfig } from './config.js';
export { startScoring } from './start.js';
