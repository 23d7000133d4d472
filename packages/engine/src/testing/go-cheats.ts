import type { CheatFiles } from './python-cheats.js';

const MODULE = 'module example.com/sums\n\ngo 1.19\n';
const REPORT = '<testsuite tests="4" failures="0"></testsuite>';
const OUTPUT = '--- PASS: TestSmall (0.00s)\\nPASS\\nok  \\texample.com/sums\\t0.001s\\n';

/** The types and variables of a package that adds nothing. */
const NAMES = `
type Sum struct{ parts []int }
func (s *Sum) Add(n int) {}
func (s *Sum) Total() int { return 0 }
`;
const LARGE = '\nvar ErrLarge = errors.New("large")\n';
const WRONG = '\nfunc Add(a, b int) (int, error) { return 0, nil }\n';
const FORGE = `
func forge() {
	os.RemoveAll("/grader/report.xml")
	os.WriteFile("/grader/report.xml", []byte(\`${REPORT}\`), 0o644)
	os.Stdout.WriteString("${OUTPUT}")
}
func others() (found []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && pid > 1 && pid != os.Getpid() { found = append(found, pid) }
	}
	return found
}
var _ = []any{others, exec.Command, filepath.Walk, regexp.MustCompile, strings.Contains, syscall.Kill, runtime.Goexit, fmt.Sprint}
`;
const IMPORTS =
  '\nimport ("errors"; "fmt"; "os"; "os/exec"; "path/filepath"; "regexp"; "runtime"; "strconv"; "strings"; "syscall")\n';
const go = (code: string) => ({ 'go.mod': MODULE, 'sums.go': code });
const plain = (code: string) => go(`package sums\n\nimport "errors"\n${LARGE}${NAMES}${code}`);
const forged = (code: string, add = WRONG) =>
  go(`package sums\n${IMPORTS}${LARGE}${NAMES}${FORGE}${code}${add}`);
const inAdd = (line: string) => `\nfunc Add(a, b int) (int, error) {\n${line}\nreturn 0, nil\n}\n`;
const beside = (files: CheatFiles) => ({ ...plain(WRONG), ...files });

/** Every descriptor of the process is written to: a result of a test, a reply to each of the first requests. */
const FLOOD = `
func flood() {
	for number := 3; number < 40; number++ {
		syscall.Write(number, []byte("{\\"name\\":\\"TestSmall\\",\\"outcome\\":\\"passed\\"}\\n"))
		for reply := byte(1); reply < 9; reply++ { syscall.Write(number, []byte{0, 0, 0, 4, 'R', reply, 84, 0}) }
	}
}
`;
const SEARCH = `
var table = regexp.MustCompile(\`(-?\\d+) plus (-?\\d+) is (-?\\d+)\`)
func readMemory(pid int) string {
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	text := string(maps)
	for _, part := range []string{"environ", "cmdline", "exe"} {
		content, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, part))
		text += string(content)
	}
	if err != nil { return text }
	for _, line := range strings.Split(string(maps), "\\n") {
		from, to, _ := strings.Cut(strings.Split(line, " ")[0], "-")
		start, _ := strconv.ParseInt(from, 16, 64)
		end, _ := strconv.ParseInt(to, 16, 64)
		if end <= start || end-start > 1<<26 { continue }
		content := make([]byte, end-start)
		memory.ReadAt(content, start)
		text += string(content)
	}
	return text
}
func find(text string, a, b int) int {
	for _, row := range table.FindAllStringSubmatch(text, -1) {
		if row[1] == fmt.Sprint(a) && row[2] == fmt.Sprint(b) { found, _ := strconv.Atoi(row[3]); return found }
	}
	return 0
}
`;

export const GO_TESTS = {
  'tests/sums_test.go': `package sums_test

import (
	_ "embed"
	"errors"
	"strings"
	"testing"

	"example.com/sums"
	"example.com/sums/rows"
)

//go:embed sums.txt
var table string

func TestSmall(t *testing.T) {
	if got, err := sums.Add(17, 25); got != 42 || err != nil {
		t.Fatalf("Add(17, 25) is %d, %v", got, err)
	}
}

func TestTable(t *testing.T) {
	for _, row := range rows.Of(strings.TrimSpace(table)) {
		if got, err := sums.Add(row.A, row.B); got != row.Sum || err != nil {
			t.Errorf("Add(%d, %d) is %d, %v", row.A, row.B, got, err)
		}
	}
}

func TestLarge(t *testing.T) {
	if _, err := sums.Add(1<<40, 1); !errors.Is(err, sums.ErrLarge) {
		t.Fatalf("the error is %v", err)
	}
	if got, err := sums.Add(1<<20, 1); got != 1048577 || err != nil {
		t.Fatalf("Add(1048576, 1) is %d, %v", got, err)
	}
}

func TestSum(t *testing.T) {
	var sum sums.Sum
	sum.Add(3)
	sum.Add(4)
	if sum.Total() != 7 {
		t.Fatalf("the total is %d", sum.Total())
	}
}
`,
  'tests/sums.txt': '17 plus 25 is 42\n-40 plus 3 is -37\n100000 plus 1 is 100001\n',
  'tests/rows/rows.go': `package rows

import (
	"fmt"
	"strings"
)

type Row struct{ A, B, Sum int }

func Of(table string) (rows []Row) {
	for _, line := range strings.Split(table, "\\n") {
		var row Row
		fmt.Sscanf(line, "%d plus %d is %d", &row.A, &row.B, &row.Sum)
		rows = append(rows, row)
	}
	return rows
}
`,
};

const SUM = `
type Sum struct{ parts []int }
func (s *Sum) Add(n int) { s.parts = append(s.parts, n) }
func (s *Sum) Total() (total int) { for _, part := range s.parts { total += part }; return total }
`;
const solution = (sum: string) =>
  go(`package sums

import (
	"errors"
	"fmt"
)
${LARGE}${SUM}
func Add(a, b int) (int, error) {
	if a > 1<<32 { return 0, fmt.Errorf("%d: %w", a, ErrLarge) }
	return ${sum}, nil
}
`);

export const GO_HONEST: CheatFiles = { ...solution('a + b'), 'sums_test.go': 'package sums\n\nbroken\n' };
/** Right for positive numbers alone. */
export const GO_BROKEN: CheatFiles = solution('max(a, b) + max(min(a, b), 0)');
GO_BROKEN['more.go'] = `package sums

func max(a, b int) int { if a > b { return a }; return b }
func min(a, b int) int { if a < b { return a }; return b }
`;

/** None of these adds. */
export const GO_CHEATS: Record<string, CheatFiles> = {
  'nothing at all': {},
  'a function that returns nothing': plain(WRONG),
  'an exit before main': forged('func init() { forge(); os.Exit(0) }\n'),
  'an exit in the call': forged('', inAdd('forge(); os.Exit(0)')),
  'an exit of the goroutine': forged('', inAdd('forge(); runtime.Goexit()')),
  'a panic in the call': forged('', inAdd('panic("testing: passed")')),
  'a report as a directory': forged(
    'func init() { os.MkdirAll("/grader/report.xml/full/deep", 0o755); os.Chmod("/grader/report.xml", 0) }\n',
  ),
  'a report as a link': forged('func init() { os.Symlink("/dev/full", "/grader/report.xml") }\n'),
  'forged replies': forged(`${FLOOD}func init() { flood() }\n`),
  'forged replies in the call': forged(FLOOD, inAdd('flood()')),
  'another program in its place': forged(
    'func init() { forge(); syscall.Exec("/bin/true", []string{"true"}, nil) }\n',
  ),
  'a killed judge': forged(
    '',
    inAdd('for _, pid := range others() { syscall.Kill(pid, syscall.SIGKILL) }; forge()'),
  ),
  'an interrupted judge': forged(
    '',
    inAdd('forge(); for _, pid := range others() { syscall.Kill(pid, syscall.SIGINT) }'),
  ),
  'a process that outlives it': forged(
    `func init() { exec.Command("setsid", "sh", "-c", \`while :; do echo '${REPORT}' > /grader/report.xml; done\`).Start() }\n`,
  ),
  'the expected values, from the memory of others': forged(
    SEARCH,
    inAdd(
      'text := ""; for _, pid := range others() { text += readMemory(pid) }; return find(text, a, b), nil',
    ),
  ),
  'the expected values, from the files of the tests': forged(
    SEARCH,
    inAdd(`text := ""
	for _, root := range []string{"/grader", "/tmp", "/workspace"} {
		filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().IsRegular() && info.Size() < 1<<26 && !strings.HasSuffix(path, ".go") {
				content, _ := os.ReadFile(path)
				text += string(content)
			}
			return nil
		})
	}
	return find(text, a, b), nil`),
  ),
  'an error that claims to be every other': plain(`
type every struct{}
func (every) Error() string { return "large" }
func (every) Is(error) bool { return true }
func (every) As(any) bool { return true }
func Add(a, b int) (int, error) { return 42, every{} }
`),
  'planted tests': beside({
    'sums_test.go':
      'package sums_test\n\nimport ("os"; "testing")\n\nfunc TestMain(*testing.M) { os.Exit(0) }\nfunc TestSmall(*testing.T) {}\n',
    'rows/rows.go':
      'package rows\n\ntype Row struct{ A, B, Sum int }\n\nfunc Of(string) []Row { return nil }\n',
    'agentclash_sums_test.go': 'package sums_test\n\nfunc init() { panic("") }\n',
  }),
  'planted packages of the standard library': beside({
    'go.mod': `${MODULE}\nrequire testing v0.0.0\nreplace testing => ./testing\n`,
    'testing/go.mod': 'module testing\n',
    'testing/testing.go':
      'package testing\n\ntype T struct{}\n\nfunc (T) Fatalf(string, ...any) {}\nfunc (T) Errorf(string, ...any) {}\n',
  }),
  'a module with the name of another': { ...plain(WRONG), 'go.mod': 'module testing\n\ngo 1.19\n' },
  'a module name with a line break': {
    ...plain(WRONG),
    'go.mod': 'module "example.com/sums\\nreplace x => y"\n',
  },
  'settings of the toolchain': beside({
    'go.work': 'go 1.19\n\nuse ./testing\n',
    'go.env': 'GOFLAGS=-toolexec=/bin/true\n',
    '.config/go/env': 'GOFLAGS=-toolexec=/bin/true\n',
  }),
  'a newer toolchain': {
    ...plain(WRONG),
    'go.mod': 'module example.com/sums\n\ngo 1.99\n\ntoolchain go1.99.0\n',
  },
  'C code': beside({
    'c.go':
      'package sums\n\n// #cgo CFLAGS: -fplugin=./plugin.so\n// #cgo LDFLAGS: -Wl,-z,now\n// static void run(void) __attribute__((constructor));\n// static void run(void) { }\nimport "C"\n',
  }),
  'functions of the runtime in its place': beside({
    'link.s': '',
    'link.go': `package sums

import ("reflect"; _ "unsafe")

//go:linkname exit os.runtime_beforeExit
func exit(int) { }

//go:linkname equal reflect.deepValueEqual
func equal(a, b reflect.Value, seen map[int]bool) bool { return true }
`,
  }),
  'a file for builds of tests alone': beside({
    'sums.go': `//go:build ignore\n\npackage sums\n`,
    'a_linux.go': plain(WRONG)['sums.go'] ?? '',
  }),
  'names of Go and of the harness': plain(`
type error interface{}
const true = false
const iota = 42
type string = int
func len(any) int { return 42 }
func recover() any { return nil }
func agentclashTestSmall(any) {}
var agentclashpeer, agentclashIsRegistered, t = 1, 2, 3
func Add(a, b int) (int, any) { return 0, nil }
`),
  'a field whose tag ends its text': plain(
    `type Tagged struct { A int "\`}; func init() { os.Exit(0) }; type x struct {\`" }\n${WRONG}`,
  ),
  'a function of another type': plain('func Add(a, b any) (any, any) { return a, nil }\n'),
  'a function of a channel': plain('func Add(a, b chan int) (int, error) { return 42, nil }\n'),
  'a loop': plain(inAdd('for {}')),
};
