import { GO_CHEATS } from '../testing/go-cheats.js';
import { harnessSuite } from '../testing/harness-suite.js';

harnessSuite('go_test', Object.keys(GO_CHEATS));
