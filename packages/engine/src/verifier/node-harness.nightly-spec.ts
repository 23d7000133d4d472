import { harnessSuite } from '../testing/harness-suite.js';
import { NODE_CHEATS } from '../testing/node-cheats.js';

harnessSuite('node_test', Object.keys(NODE_CHEATS));
