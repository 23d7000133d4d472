import { harnessSuite } from '../testing/harness-suite.js';

/** One for each part of the harness that withstands them; all of them are graded at night. */
const DAILY = ['an exit in the call', 'forged replies in the call', 'planted tests'];

harnessSuite('go_test', DAILY);
harnessSuite('go_test of values', []);
