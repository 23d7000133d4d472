package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// testFiles are the hidden tests: files *_test.go of one folder, and packages and data below it.
type testFiles struct {
	set    *token.FileSet
	files  map[string][]byte
	parsed map[string]*ast.File
	names  []string
	// used are all names that occur; declared those of the package's own scope or of imports.
	used, declared map[string]bool
	// functions are the tests of each file.
	functions map[string][]*ast.Ident
}

func readTests(files map[string][]byte) *testFiles {
	tests := &testFiles{
		set: token.NewFileSet(), files: files, parsed: map[string]*ast.File{},
		used: map[string]bool{}, declared: map[string]bool{}, functions: map[string][]*ast.Ident{},
	}
	for _, name := range sorted(files) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		parsed, err := parser.ParseFile(tests.set, name, files[name], parser.ParseComments)
		if err != nil {
			failPack("the tests cannot be read: %v", err)
		}
		tests.parsed[name] = parsed
		tests.read(name, parsed)
	}
	if len(tests.names) == 0 {
		failPack("there are no functions TestName(t *testing.T) in files *_test.go of the folder of the tests")
	}
	return tests
}

func sorted[V any](values map[string]V) []string {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (t *testFiles) read(name string, file *ast.File) {
	isTest := strings.HasSuffix(name, "_test.go")
	if isTest && path.Dir(name) != "." {
		failPack("%s: files *_test.go are read from the folder of the tests itself", name)
	}
	if !isTest && path.Dir(name) == "." {
		failPack("%s: Go files of the folder of the tests are named *_test.go; helpers of theirs may be packages below it", name)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if identifier, ok := node.(*ast.Ident); ok {
			t.used[identifier.Name] = true
		}
		return true
	})
	if !isTest {
		return
	}
	for _, each := range file.Imports {
		imported, _ := strconv.Unquote(each.Path.Value)
		if imported == "C" {
			failPack("%s: tests cannot use cgo", name)
		}
		t.declared[path.Base(imported)] = true
		if each.Name != nil {
			t.declared[each.Name.Name] = true
		}
	}
	isInternal := !strings.HasSuffix(file.Name.Name, "_test")
	for _, declaration := range file.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if isFunction && function.Recv == nil {
			t.readFunction(name, function)
		}
		if isInternal {
			for _, each := range declaredBy(declaration) {
				t.declared[each] = true
			}
		}
	}
}

func declaredBy(declaration ast.Decl) (names []string) {
	switch declared := declaration.(type) {
	case *ast.FuncDecl:
		if declared.Recv == nil {
			names = append(names, declared.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range declared.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

func (t *testFiles) readFunction(file string, function *ast.FuncDecl) {
	name := function.Name.Name
	if isNamed(name, "Fuzz") && function.Type.Params.NumFields() == 1 {
		failPack("%s: %s: fuzz tests are not run: write its seeds as a test", file, name)
	}
	if isNamed(name, "Example") && function.Type.Params.NumFields() == 0 {
		failPack("%s: %s: examples are not run: write it as a test", file, name)
	}
	if !isNamed(name, "Test") || name == "TestMain" || function.Type.Params.NumFields() != 1 {
		return
	}
	for _, other := range t.names {
		if other == name {
			failPack("%s: there are two tests with the name %s", file, name)
		}
	}
	t.names = append(t.names, name)
	t.functions[file] = append(t.functions[file], function.Name)
}

// isNamed: as go test decides.
func isNamed(name, prefix string) bool {
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(name[len(prefix):])
	return len(name) == len(prefix) || !unicode.IsLower(next)
}

const renamed = "agentclash"

// rewritten: each test has another name, and in its place is one that reports how it ended.
func (t *testFiles) rewritten() map[string]string {
	written := map[string]string{}
	for name, content := range t.files {
		text := string(content)
		functions := t.functions[name]
		for at := len(functions) - 1; at >= 0; at-- {
			offset := t.set.Position(functions[at].Pos()).Offset
			text = text[:offset] + renamed + text[offset:]
		}
		written[name] = text
	}
	wrappers := map[string][]string{}
	for file, functions := range t.functions {
		for _, function := range functions {
			name := t.parsed[file].Name.Name
			wrappers[name] = append(wrappers[name], function.Name)
		}
	}
	for name, functions := range wrappers {
		var text strings.Builder
		fmt.Fprintf(&text, "package %s\n\nimport (\n\tagentclashpeer %q\n\tagentclashtesting \"testing\"\n)\n", name, peerPlaceholder)
		for _, function := range functions {
			fmt.Fprintf(&text, `
func %[1]s(t *agentclashtesting.T) {
	agentclashIsComplete := false
	t.Cleanup(func() { agentclashpeer.Report(%[1]q, agentclashIsComplete, t.Failed(), t.Skipped()) })
	%[2]s%[1]s(t)
	agentclashIsComplete = true
}
`, function, renamed)
		}
		written["agentclash_"+name+"_test.go"] = text.String()
	}
	return written
}

// check refuses tests that need more of the code than the package that they test.
func (t *testFiles) check(code *loaded) {
	for _, name := range sorted(t.parsed) {
		file := t.parsed[name]
		if path.Dir(name) == "." && strings.TrimSuffix(file.Name.Name, "_test") != code.checked.Name() {
			if code.checked.Name() == "main" {
				failCode("package main cannot be imported")
			}
			failCode("the package is %s, and its tests are of %s", code.checked.Name(), file.Name.Name)
		}
		for _, each := range file.Imports {
			imported, _ := strconv.Unquote(each.Path.Value)
			below := strings.TrimPrefix(imported, code.path+"/")
			if imported == code.path || !strings.HasPrefix(imported, code.module+"/") || (below != imported && t.hasPackage(below)) {
				continue
			}
			failPack("%s imports %s: tests have one package of the code, %s", name, imported, code.path)
		}
	}
}

func (t *testFiles) hasPackage(folder string) bool {
	for name := range t.parsed {
		if path.Dir(name) == folder {
			return true
		}
	}
	return false
}

// isVisible: tests of the package itself may use the names that are not exported.
func (t *testFiles) isVisible(name string) bool {
	return token.IsExported(name) || t.hasInternal() && t.used[name]
}

func (t *testFiles) hasInternal() bool {
	for name, file := range t.parsed {
		if path.Dir(name) == "." && !strings.HasSuffix(file.Name.Name, "_test") {
			return true
		}
	}
	return false
}
