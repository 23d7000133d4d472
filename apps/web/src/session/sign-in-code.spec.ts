import { describe, expect, test } from '@jest/globals';
import { isOwnMachine } from './sign-in-code.js';

describe('a sign-in code is used without a question', () => {
  test.each(['localhost', '127.0.0.1', '127.8.9.1', '[::1]'])(
    'a sign-in code is used without a question on %s',
    (hostname) => {
      expect(isOwnMachine(hostname)).toBe(true);
    },
  );

  test.each(['10.0.0.1', 'clash.example', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]', ''])(
    'a sign-in code is not used without a question on "%s"',
    (hostname) => {
      expect(isOwnMachine(hostname)).toBe(false);
    },
  );
});
