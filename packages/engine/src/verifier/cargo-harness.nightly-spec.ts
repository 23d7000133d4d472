import { describe, expect, test } from '@jest/globals';
import { graded, harnessSuite, hasRust, useSession } from '../testing/harness-suite.js';
import { RUST_CHEATS, RUST_HONEST, RUST_TESTS } from '../testing/rust-cheats.js';

harnessSuite('cargo_test', Object.keys(RUST_CHEATS));

(hasRust ? describe : describe.skip)('builds of crates that wait (needs cargo)', () => {
  const session = useSession();
  const waiting = (main: string) => ({ ...RUST_HONEST, 'build.rs': `fn main() { ${main} }\n` });
  const grader = { tests: RUST_TESTS, words: 'cargo_test --tests tests --code .' };

  test.each([
    [
      'whose script leaves a process that keeps the output open',
      'std::process::Command::new("sleep").arg("1000").spawn().unwrap();',
    ],
    ['whose script waits for ever', 'loop { std::thread::sleep(std::time::Duration::from_secs(3600)) }'],
  ])(
    'A build %s is ended, and each test has failed with the reason.',
    async (_, main) => {
      const { exitCode, passed, total } = await graded(session(), waiting(main), grader);
      expect({ exitCode, passed, total }).toEqual({ exitCode: 1, passed: 0, total: 6 });
    },
    240_000,
  );
});
