import { harnessSuite } from '../testing/harness-suite.js';
import { RUST_CHEATS } from '../testing/rust-cheats.js';

harnessSuite('cargo_test', Object.keys(RUST_CHEATS));
