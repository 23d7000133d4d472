import { pendingSuite } from './pending-suite.js';

pendingSuite('execution-outcomes.yaml', 'scoring-scorecards.yaml');
