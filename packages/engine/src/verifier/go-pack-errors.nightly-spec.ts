import { describe, expect, test } from '@jest/globals';
import { graded, hasGo, useSession } from '../testing/harness-suite.js';

const CODE = {
  'go.mod': 'module feed\n\ngo 1.19\n',
  'feed.go': `package feed

import "feed/more"

func Items() chan int { return nil }
func First[T any](items []T) T { return items[0] }
func Most() *more.Item { return nil }
func Last(items []int) int { return items[len(items)-1] }
`,
  'more/more.go': 'package more\n\ntype Item struct{}\n\nfunc More() {}\n',
};

const testFile = (body: string, imported = 'feed') => ({
  'tests/feed_test.go': `package feed_test\n\nimport (\n\t"testing"\n\n\t"${imported}"\n)\n\n${body}\n`,
});

const ERRORS = [
  {
    of: 'a function of a channel',
    tests: testFile('func TestItems(t *testing.T) { feed.Items() }'),
    exitCode: 120,
    message: 'the tests use Items, which cannot be given to another process: a channel',
  },
  {
    of: 'a generic function',
    tests: testFile('func TestFirst(t *testing.T) { feed.First([]int{1}) }'),
    exitCode: 120,
    message: 'the tests use First, which cannot be given to another process: a generic function',
  },
  {
    of: 'a type of another package',
    tests: testFile('func TestMost(t *testing.T) { feed.Most() }'),
    exitCode: 120,
    message: 'the tests use Most, which cannot be given to another process: feed/more.Item',
  },
  {
    of: 'another package of the module',
    tests: testFile('func TestMore(t *testing.T) { more.More() }', 'feed/more'),
    exitCode: 120,
    message: 'tests have one package of the code, feed',
  },
  {
    of: 'a fuzz test',
    tests: testFile('func FuzzLast(f *testing.F) { feed.Last(nil) }'),
    message: 'FuzzLast: fuzz tests are not run: write its seeds as a test',
  },
  {
    of: 'a file without a test',
    tests: testFile('var _ = feed.Last'),
    message: 'there are no functions TestName(t *testing.T)',
  },
  {
    of: 'a file that is no Go',
    tests: testFile('func TestLast(t *testing.T) { feed.Last( }'),
    message: 'the tests cannot be read: feed_test.go:9',
  },
];

(hasGo ? describe : describe.skip)('Go tests that cannot be graded (needs golang-go)', () => {
  const session = useSession();

  test.each(ERRORS)('a test of $of ends the harness with its code and the reason', async (error) => {
    const { tests, message, exitCode: expected = 121 } = error;
    const words = 'go_test --tests tests --code .';
    const { exitCode, total, stderr } = await graded(session(), CODE, { tests, words });
    expect({ exitCode, total, stderr }).toEqual({
      exitCode: expected,
      total: 0,
      stderr: expect.stringContaining(message),
    });
  });
});
