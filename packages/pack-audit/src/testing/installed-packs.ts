import type { NaivePack } from './naive-document.js';

const TESTS = `import sys
sys.path.insert(0, '/workspace')
from solution import add
def test_small(): assert add(1, 2) == 3
def test_large(): assert add(500, 500) == 1000
`;

const GO_TEST = `package mean

import (
  "math"
  "testing"
)

func TestMean(t *testing.T) {
  // Fails when it is beyond the limit.
  if math.Abs(Mean([]float64{1, 2, 6})-3) > 1e-9 {
    t.Fatal("the mean of 1, 2 and 6 is 3")
  }
}
`;

/** Packs with runners and compilers that are installed for them as Debian packages. */
export const INSTALLED_PACKS: Readonly<Record<string, NaivePack>> = {
  pytest: {
    instructions: 'Write a function add(a, b) that returns the sum of two integers, in the file solution.py.',
    packages: ['python3-pytest'],
    command: 'python3 -m pytest -q tests/test_add.py',
    workspace: { 'tests/test_add.py': TESTS },
  },
  go_program: {
    instructions: 'Write a program, main.go, that prints the sum of its two arguments.',
    packages: ['golang-go'],
    output: 'main.go',
    command: 'export GOCACHE=/tmp/go GO111MODULE=off; go vet main.go && go run main.go 1 2',
  },
  go_within_a_limit: {
    instructions:
      'Write the package mean (module example.com/mean) in the files go.mod and mean.go: Mean(values []float64) float64 is their mean.',
    packages: ['golang-go'],
    output: 'mean.go',
    command: 'export GOCACHE=/tmp/go GOFLAGS=-mod=mod; cp /grader/mean_test.go . && go test .',
    grader: { 'mean_test.go': GO_TEST },
  },
  rust_program: {
    instructions: 'Write a program, main.rs, that prints the sum of its two arguments.',
    packages: ['rustc'],
    output: 'main.rs',
    command: 'rustc -o /tmp/main main.rs && /tmp/main 1 2',
  },
};
