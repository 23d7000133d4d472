import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from './testing/audit-harness.js';

(existsSync('/usr/bin/cargo') ? describe : describe.skip)(
  'a pack whose hidden tests are those of a crate (needs cargo)',
  () => {
    const harness = new AuditHarness();
    beforeAll(() => harness.open());
    afterAll(() => harness.close());

    test('Its solution passes, no cheat gains a point, and its tests notice its mutants.', async () => {
      const report = await harness.audit(PACK, { isQuick: true });
      expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(report).toMatchObject({
        result: 'passed',
        checks: {
          oracle: { state: 'passed', passed: 1 },
          ...{ idle: { state: 'passed' }, echo: { state: 'passed' }, blank: { state: 'passed' } },
          cheats: { state: 'passed', gained: 0 },
          strength: { state: 'passed' },
        },
      });
      expect(report.checks.cheats.tried).toBeGreaterThan(40);
    }, 2_400_000);
  },
);

const PACK = `
pack: {slug: rust-stack, name: A stack in Rust, family: coding}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell]}
  sandbox: {additional_packages: [cargo]}
  evaluation_spec:
    name: rust-stack
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: tests
        type: code_execution
        config:
          harness: {adapter: cargo_test, tests: tests, code: [.]}
          timeout_ms: 300000
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: stack
    title: Stack
    category: rust
    difficulty: easy
    instructions: |
      Write the crate stack (Cargo.toml, src/lib.rs): pub struct Stack with new(capacity: usize) -> Stack,
      push(&mut self, item: i64) -> bool (false when it is full) and pop(&mut self) -> Option<i64>.
    solution:
      files:
        - path: Cargo.toml
          content: "[package]\\nname = \\"stack\\"\\nversion = \\"0.1.0\\"\\nedition = \\"2021\\"\\n"
        - path: src/lib.rs
          content: |
            pub struct Stack {
                items: Vec<i64>,
                capacity: usize,
            }

            impl Stack {
                pub fn new(capacity: usize) -> Stack {
                    Stack { items: Vec::new(), capacity }
                }

                pub fn push(&mut self, item: i64) -> bool {
                    if self.items.len() >= self.capacity {
                        return false;
                    }
                    self.items.push(item);
                    true
                }

                pub fn pop(&mut self) -> Option<i64> {
                    self.items.pop()
                }
            }
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: stack
        case_key: order
        expectations:
          - key: tests/interface.rs
            kind: text
            value: |
              #![crate_name = "stack"]

              pub type Stack;
              impl Stack {
                  pub fn new(capacity: usize) -> Stack;
                  pub fn push(&mut self, item: i64) -> bool;
                  pub fn pop(&mut self) -> Option<i64>;
              }
          - key: tests/order.rs
            kind: text
            value: |
              use stack::Stack;

              #[test]
              fn the_last_comes_first() {
                  let mut stack = Stack::new(2);
                  assert!(stack.push(41));
                  assert!(stack.push(-7));
                  assert_eq!(stack.pop(), Some(-7));
                  assert_eq!(stack.pop(), Some(41));
                  assert_eq!(stack.pop(), None);
              }

              #[test]
              fn it_is_full_at_its_capacity() {
                  let mut stack = Stack::new(1);
                  assert!(stack.push(1));
                  assert!(!stack.push(2));
                  assert_eq!(stack.pop(), Some(1));
                  assert!(!Stack::new(0).push(3));
              }
`;
