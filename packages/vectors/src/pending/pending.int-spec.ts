import { pendingSuite } from './pending-suite.js';

pendingSuite('execution-paths.yaml');
