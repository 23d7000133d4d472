/** A package whose tests exchange values of all kinds with it, and use names that it does not export. */
export const GO_TYPES = {
  tests: {
    'tests/testdata/x.txt': 'hello',
    'tests/inner_test.go': `package lib

import "testing"

func TestInner(t *testing.T) {
	if sum(1, 2) != 3 {
		t.Error(sum(1, 2))
	}
	p := pair{a: 1, b: 2}
	p.b = 7
	if p.total() != 8 {
		t.Error(p.total())
	}
}
`,
    'tests/lib_test.go': `package lib_test

import (
	"bytes"
	_ "embed"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/all/lib"
)

//go:embed testdata/x.txt
var text string

func TestEmbed(t *testing.T) {
	if n, err := lib.Count(strings.NewReader(text)); n != 5 || err != nil {
		t.Fatal(n, err)
	}
	var b bytes.Buffer
	if err := lib.Upper(&b, "abc"); err != nil || b.String() != "ABC" {
		t.Fatal(err, b.String())
	}
	all, err := io.ReadAll(lib.Words("hello"))
	if string(all) != "hello" || err != nil {
		t.Fatal(string(all), err)
	}
}
func TestConsts(t *testing.T) {
	if lib.Version != "v1" || lib.Pi != 3.25 || lib.Red.String() != "color 1" || lib.Limit != 7 {
		t.Fatal(lib.Red)
	}
}
func TestPoint(t *testing.T) {
	p := lib.Point{1, 2}
	if p.Add(lib.Point{3, 4}) != (lib.Point{4, 6}) {
		t.Error("add")
	}
	p.Move(5)
	if p != (lib.Point{6, 2}) {
		t.Error(p)
	}
}
func TestStack(t *testing.T) {
	s := lib.NewStack()
	s.Push(1)
	s.Push(2)
	if s.Name != "2" || s.Self() != s {
		t.Error(s.Name)
	}
	var sum int
	s.Each(func(v int) bool { sum += v; return true })
	if sum != 3 {
		t.Error(sum)
	}
	if v, err := s.Pop(); v != 2 || err != nil {
		t.Error(v, err)
	}
	var z lib.Stack
	z.Push(9)
	if v, _ := z.Pop(); v != 9 {
		t.Error(v)
	}
	_, err := z.Pop()
	if !errors.Is(err, lib.ErrEmpty) || err == lib.ErrEmpty || err.Error() != "pop: empty" {
		t.Error(err)
	}
}
func TestStackParallel(t *testing.T) {
	s := lib.NewStack()
	var w sync.WaitGroup
	for i := 0; i < 50; i++ {
		w.Add(1)
		go func() { defer w.Done(); s.Push(1) }()
	}
	w.Wait()
	if s.Self().Name != "50" {
		t.Error(s.Name)
	}
}
func TestParse(t *testing.T) {
	m, err := lib.Parse("abc")
	if err != nil || !reflect.DeepEqual(m, map[string][]int{"abc": {3}}) {
		t.Error(m, err)
	}
	_, err = lib.Parse("")
	var pe *lib.ParseError
	if !errors.As(err, &pe) || pe.Line != 3 || err.Error() != "line 3: nothing" {
		t.Error(err)
	}
}

type own struct{}

func (own) Area() float64 { return 5 }
func TestShapes(t *testing.T) {
	if got := lib.Total(lib.Circle{2}, lib.Square(3), own{}); got != 26 {
		t.Error(got)
	}
	if lib.Square(2).Area() != 4 {
		t.Error("square")
	}
	if _, ok := lib.Square(2).(lib.Circle); ok {
		t.Error("kind")
	}
}
func TestReverse(t *testing.T) {
	a := &lib.Node{1, &lib.Node{2, &lib.Node{3, nil}}}
	r := lib.Reverse(a)
	if r.Val != 3 || r.Next.Val != 2 || r.Next.Next != a || a.Next != nil {
		t.Error(r)
	}
}
func TestSort(t *testing.T) {
	in := []int{3, 1, 2}
	if got := lib.Sorted(in); !reflect.DeepEqual(got, []int{1, 2, 3}) || in[0] != 3 {
		t.Error(got)
	}
	lib.Sort(in)
	if in[0] != 1 {
		t.Error("Sort", in)
	}
}
func TestPanics(t *testing.T) {
	func() {
		defer func() {
			if r := recover(); r != "negative" {
				t.Error(r)
			}
		}()
		lib.Must(-1)
	}()
	defer func() {
		if _, ok := recover().(runtime.Error); !ok {
			t.Error("no")
		}
	}()
	lib.Index([]int{1}, 5)
}
func TestTimes(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	if got := lib.Later(at, time.Hour); !got.Equal(at.Add(time.Hour)) {
		t.Error(got)
	}
	for _, v := range []any{1, "a", 2.5, nil, []int{1}, map[string]any{"a": 1}, lib.Point{1, 2}} {
		if got := lib.Any(v); !reflect.DeepEqual(got, v) {
			t.Error(got, v)
		}
	}
}
func TestFunctions(t *testing.T) {
	if got, err := lib.Map([]string{"1", "22"}, strconv.Atoi); err != nil || got[1] != 22 {
		t.Error(got, err)
	}
	_, err := lib.Map([]string{"x"}, strconv.Atoi)
	var ne *strconv.NumError
	if !errors.As(err, &ne) || !errors.Is(err, strconv.ErrSyntax) {
		t.Errorf("%#v", err)
	}
	if lib.Adder(3)(4) != 7 {
		t.Error("adder")
	}
}
`,
  },
  honest: {
    'go.mod': 'module example.com/all\n\ngo 1.13\n',
    'internal/limits/limits.go': 'package limits\n\nconst Default = 7\n',
    'lib/lib.go': `package lib

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"time"

	"example.com/all/internal/limits"
)

var ErrEmpty = errors.New("empty")
var Limit = limits.Default

const Version = "v1"
const Pi = 3.25
const Red Color = 1

type Color int

func (c Color) String() string { return fmt.Sprintf("color %d", int(c)) }

type Point struct{ X, Y int }

func (p Point) Add(o Point) Point { return Point{p.X + o.X, p.Y + o.Y} }
func (p *Point) Move(dx int)      { p.X += dx }

type Stack struct {
	Name  string
	mu    sync.Mutex
	items []int
}

func NewStack() *Stack { return &Stack{Name: "new"} }
func (s *Stack) Push(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, v)
	s.Name = fmt.Sprint(len(s.items))
}
func (s *Stack) Pop() (int, error) {
	if len(s.items) == 0 {
		return 0, fmt.Errorf("pop: %w", ErrEmpty)
	}
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, nil
}
func (s *Stack) Each(f func(int) bool) {
	for _, v := range s.items {
		if !f(v) {
			return
		}
	}
}
func (s *Stack) Self() *Stack { return s }

type ParseError struct {
	Line int
	Text string
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

func Parse(text string) (map[string][]int, error) {
	if text == "" {
		return nil, &ParseError{3, "nothing"}
	}
	return map[string][]int{text: {len(text)}}, nil
}

type Shape interface{ Area() float64 }
type Circle struct{ R float64 }

func (c Circle) Area() float64 { return 3 * c.R * c.R }

type square struct{ s float64 }

func (c square) Area() float64 { return c.s * c.s }
func Square(s float64) Shape   { return square{s} }
func Total(shapes ...Shape) float64 {
	t := 0.0
	for _, s := range shapes {
		t += s.Area()
	}
	return t
}

type Node struct {
	Val  int
	Next *Node
}

func Reverse(head *Node) *Node {
	var prev *Node
	for head != nil {
		head.Next, prev, head = prev, head, head.Next
	}
	return prev
}
func Sort(values []int)                 { sort.Ints(values) }
func Sorted(values []int) []int         { c := append([]int(nil), values...); sort.Ints(c); return c }
func Count(r io.Reader) (int, error)    { b, err := io.ReadAll(r); return len(b), err }
func Upper(w io.Writer, s string) error { _, err := io.WriteString(w, strings.ToUpper(s)); return err }
func Words(s string) io.Reader          { return strings.NewReader(s) }
func Must(n int) int {
	if n < 0 {
		panic("negative")
	}
	return n
}
func Index(s []int, at int) int                    { return s[at] }
func Later(t time.Time, d time.Duration) time.Time { return t.Add(d) }
func Any(v any) any                                { return v }
func Stream() chan int                             { return nil }
func equal(a, b int) bool                          { return false }
func Map(in []string, f func(string) (int, error)) ([]int, error) {
	var out []int
	for _, s := range in {
		n, err := f(s)
		if err != nil {
			return nil, fmt.Errorf("map: %w", err)
		}
		out = append(out, n)
	}
	return out, nil
}
func Adder(n int) func(int) int { return func(m int) int { return n + m } }

type pair struct {
	a, b   int
	hidden chan int
}

func (p *pair) total() int { return sum(p.a, p.b) }
func sum(a, b int) int     { return a + b }
`,
  },
  count: 13,
};
