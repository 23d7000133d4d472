/** The folder and the name of the skill, below a folder of skills. */
export const SKILL_NAME = 'write-challenge-packs';

/** A skill for coding agents that teaches writing a pack: https://agentskills.io */
export const SKILL = `---
name: ${SKILL_NAME}
description: Write, check, audit and run AgentClash challenge packs (YAML files that evaluate AI agents). Use this when a task mentions a challenge pack, an evaluation or benchmark of agents, hidden tests, graders, or the command agentclash.
---

# Write a challenge pack

A challenge pack is one YAML file: tasks, cases, what agents may use, and how results are scored. Work in this order, and
repeat the last four steps until the audit passes:

1. Begin with a starter that validates. Modes: prompt_eval (one reply), native (a sandbox with files and a shell),
   responses (tools without a sandbox), multi_turn (a conversation).

~~~sh
agentclash challenge-pack init sums.yaml --template native
~~~

2. Edit it. Comments in the starter explain the fields; challenge-pack.schema.json beside it has all of them.
3. Validate after each edit. Every problem has a line and a column, warnings too; remove all of them.

~~~sh
agentclash challenge-pack validate sums.yaml --strict
~~~

4. Audit it: its solutions must pass; idle agents and cheats must not; planted defects must be noticed. Each finding has
   the change that defeats it. The short form first, the whole one before you rely on the pack.

~~~sh
agentclash challenge-pack audit sums.yaml --quick
agentclash challenge-pack audit sums.yaml
~~~

5. Race agents on it without a server, and read why they failed:

~~~sh
agentclash run local sums.yaml --agents agents.yaml --repeat 3 -o results.clash
agentclash eval scorecard results.clash --all
agentclash run failures results.clash
~~~

6. Where a server is configured (agentclash whoami), publish it. A published version never changes: count up
   version.number for the next one.

~~~sh
agentclash challenge-pack publish sums.yaml --require-audit
~~~

With the tools of "agentclash mcp" the same steps are validate, audit, run, scorecard, replay and publish.

## Rules of a pack that can be trusted

- Nothing that agents see (instructions, payload, inputs, files, descriptions of tools) holds what is expected. Expectations
  and grader files are for grading alone.
- Every challenge has a solution. Without one, an audit cannot show that a right result passes.
- Cases expect different values, so that no constant reply passes. Give several inputs to code that is graded, and
  none of them in the task.
- Numbers are compared by numeric_match, texts that must be equal by exact_match, not by contains: a reply that lists every
  option contains the right one.
- Grade code of an agent by the harness below. A test_command that runs tests in the process of the code can be cheated: by an
  exit, a forged report, a patched module, an object that equals everything.

## A prompt with one right reply

~~~yaml
pack: {slug: capitals, name: Capitals, family: knowledge}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: capitals
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: right, type: exact_match, target: final_output, expected_from: case.expectations.capital}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: capital
    title: Name the capital
    category: geography
    difficulty: easy
    instructions: What is the capital of {{country}}? Reply with its name alone.
    solution: {answer_from: case.expectations.capital}
input_sets:
  - key: default
    name: Two countries
    description: One country of each half of the earth.
    cases:
      - challenge_key: capital
        case_key: peru
        payload: {country: Peru}
        expectations: [{key: capital, kind: text, value: Lima}]
      - challenge_key: capital
        case_key: malta
        payload: {country: Malta}
        expectations: [{key: capital, kind: text, value: Valletta}]
~~~

## A program, graded by hidden inputs and outputs

The adapter cases runs a program in any language, one process for each case; no test is in a process of the code.

~~~yaml
pack: {slug: sorted-numbers, name: Sorted numbers, family: coding}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell]}
  evaluation_spec:
    name: sorted-numbers
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: tests
        type: code_execution
        config:
          harness: {adapter: cases, tests: tests.json, command: [python3, solution.py]}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: sort
    title: Sort numbers
    category: python
    difficulty: easy
    instructions: >-
      Write solution.py. It reads whole numbers from standard input, one a line, and prints them in ascending order, one
      a line.
    solution:
      files:
        - path: solution.py
          content: |
            import sys
            for number in sorted(int(line) for line in sys.stdin):
                print(number)
input_sets:
  - key: default
    name: Sorting
    description: Numbers of one and of several digits, negative ones, none.
    cases:
      - challenge_key: sort
        case_key: numbers
        expectations:
          - key: tests.json
            kind: json
            value:
              - {input: "3\\n1\\n2\\n", output: "1\\n2\\n3\\n"}
              - {input: "10\\n9\\n-1\\n", output: "-1\\n9\\n10\\n"}
              - {input: "5\\n5\\n-5\\n", output: "-5\\n5\\n5\\n"}
              - {input: "", output: ""}
~~~

## Functions, graded by hidden unit tests

The adapter unittest runs tests in one process and the code in another; import solution gives a proxy. Other adapters:
calls (a JSON list of calls), pytest, node_test, go_test, cargo_test.

~~~yaml
pack: {slug: totals, name: Totals, family: coding}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell]}
  evaluation_spec:
    name: totals
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: tests
        type: code_execution
        config:
          harness: {adapter: unittest, tests: tests, code: [solution.py]}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: total
    title: Write total
    category: python
    difficulty: easy
    instructions: Write total(prices) in solution.py. It returns the sum of a list of numbers, and raises ValueError where one is negative.
    solution:
      files:
        - path: solution.py
          content: |
            def total(prices):
                if any(price < 0 for price in prices):
                    raise ValueError("a price is negative")
                return sum(prices)
input_sets:
  - key: default
    name: Totals
    description: No price, several, a free one, and negative ones.
    cases:
      - challenge_key: total
        case_key: prices
        expectations:
          - key: tests/test_total.py
            kind: text
            value: |
              import unittest
              from solution import total

              class Total(unittest.TestCase):
                  def test_no_price(self):
                      self.assertEqual(total([]), 0)

                  def test_prices(self):
                      self.assertEqual(total([3, 4, 5]), 12)

                  def test_free(self):
                      self.assertEqual(total([0, 2]), 2)

                  def test_negative_price(self):
                      with self.assertRaises(ValueError):
                          total([10, -1])
~~~

## Agents

agents.yaml names who races. A scripted agent tries a pack without a model; keys of models come from environment variables,
never from files.

~~~yaml
provider_accounts:
  - {name: anthropic, provider_key: anthropic, credential_reference: "env://ANTHROPIC_API_KEY"}
model_aliases:
  - {name: main, provider_account: anthropic, model: claude-sonnet-4-6}
deployments:
  - {name: solver, kind: model, config: {model_alias: main}}
  - {name: idle, kind: scripted, config: {steps: [{answer: I do not know.}]}}
~~~
`;
