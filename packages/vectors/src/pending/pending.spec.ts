import { pendingSuite } from './pending-suite.js';

pendingSuite('challenge-pack.yaml', 'execution-outcomes.yaml', 'scoring-scorecards.yaml');
