import { describe, expect, test } from '@jest/globals';
import { fillConfig } from './fill-config.js';
import { type Harness, harnessRuntimes, isHarnessAlone, usesHarness } from './harness.js';

const commandOf = (harness: Harness) => fillConfig('code_execution', { harness }).test_command;

describe('a harness', () => {
  test('a harness becomes a command and a JUnit report', () => {
    const harness: Harness = {
      adapter: 'pytest',
      tests: 'tests',
      code: ['src/a', 'b c.py'],
      cpu_seconds: 3,
      trust: ['equality'],
    };
    expect(fillConfig('code_execution', { harness, timeout_ms: 5 })).toEqual({
      test_command:
        "exec agentclash-grade pytest --tests tests --code src/a --code 'b c.py' --cpu-seconds 3 --trust equality",
      reports: [{ path: '/grader/report.xml', format: 'junit' }],
      timeout_ms: 5,
      scoring: 'fraction_passed',
      pass_threshold: 1,
    });
  });

  test('the words of a harness reach the command as they are written', () => {
    expect(commandOf({ adapter: 'cases', tests: 't', command: ['sh', '-c', "echo '$1'"] })).toBe(
      String.raw`exec agentclash-grade cases --tests t -- sh -c 'echo '\''$1'\'''`,
    );
    expect(commandOf({ adapter: 'calls', tests: 't', code: ['a.py'], function: '{{name}}' })).toBe(
      "exec agentclash-grade calls --tests t --code a.py --function '{{name}}'",
    );
  });

  test.each([
    ['exec agentclash-grade cases --tests t', true],
    ['cd src; agentclash-grade pytest --tests t', true],
    ['agentclash-grader x', false],
    ['python3 my-agentclash-grade x', false],
  ])('whether the command %s uses the harness is %s', (command, uses) => {
    expect(usesHarness(command)).toBe(uses);
  });

  test.each([
    [commandOf({ adapter: 'cases', tests: 't', command: ['sh', '-c', "echo '$1'; exit 121"] }), true],
    [commandOf({ adapter: 'go_test', tests: 'tests', code: ['.'] }), true],
    ['agentclash-grade cases --tests t', false],
    ['exec agentclash-grade', false],
    ['exec agentclash-grade cases --tests t; sh build.sh', false],
    ['exec agentclash-grade cases --tests $(sh build.sh)', false],
    ['exec agentclash-grade cases --tests `sh build.sh`', false],
    ['exec agentclash-grade cases --tests t\nsh build.sh', false],
    ["exec agentclash-grade cases --tests 't'; sh 'build.sh'", false],
    ['exec agentclash-grade cases --tests "$(sh build.sh)"', false],
    ['sh build.sh && exec agentclash-grade cases --tests t', false],
    ['cd src; exec agentclash-grade cases --tests t', false],
  ])('whether %j is the harness alone is %s', (command, isAlone) => {
    expect(isHarnessAlone(command)).toBe(isAlone);
  });

  test('node:test, go test and cargo test need their own program beside the Python of every adapter', () => {
    expect(harnessRuntimes('exec agentclash-grade node_test --tests t')).toEqual(['node', 'python']);
    expect(harnessRuntimes('cd a && agentclash-grade cases --tests t -- node a.js')).toEqual(['python']);
    expect(harnessRuntimes('exec agentclash-grade go_test --tests t --code .')).toEqual(['go', 'python']);
    expect(harnessRuntimes('agentclash-grade cargo_test --tests t --code .')).toEqual(['python', 'rust']);
    expect(harnessRuntimes('agentclash-grade constructor --tests t')).toEqual(['python']);
    expect(harnessRuntimes('node --test')).toEqual([]);
  });
});
