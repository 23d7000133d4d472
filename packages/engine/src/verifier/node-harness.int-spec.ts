import { harnessSuite } from '../testing/harness-suite.js';
import { NODE_OBJECTS } from '../testing/node-modules.js';
import { NODE_READS } from '../testing/node-reads.js';

/** One for each part of the harness that withstands them; all of them are graded at night. */
const DAILY = [
  'nothing at all',
  'an exit in the call',
  'an error that the tests may expect, while it is loaded',
  'a class whose instances equal everything',
  'patched assertions',
  'forged replies',
  'a killed judge',
  'a process that outlives it',
  'a debugger in the judge',
  'the expected values, from the memory of others',
  'the expected values, from the files of the tests',
  'planted data and modules at the place of the tests',
];

harnessSuite('node_test', DAILY);
harnessSuite('node_test of values', []);
harnessSuite('node_test of a required module', []);
harnessSuite('node_test of objects', Object.keys(NODE_OBJECTS.cheats));
harnessSuite('node_test of reads', Object.keys(NODE_READS.cheats));
harnessSuite('node_test of errors', []);
harnessSuite('node_test of later calls', []);
harnessSuite('node_test of live exports', []);
