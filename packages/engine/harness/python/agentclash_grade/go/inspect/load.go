package main

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// peerPlaceholder is replaced by the path of the package that connects both processes.
const peerPlaceholder = "agentclash.invalid/peer"

// loaded is the package under test.
type loaded struct {
	module, folder, depth, path string
	checked                     *types.Package
	// packages are those of the module and of vendor.
	packages map[string]*types.Package
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([\w.~/-]+)"?\s*(?://.*)?$`)

func load(wanted request) *loaded {
	folder := wanted.Package
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || !strings.HasPrefix(folder+"/", wanted.Root+"/") {
		failCode("there is no such folder: %s", folder)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if folder == wanted.Root {
			failCode("there is no go.mod in the folder of the package or above it")
		}
		folder = filepath.Dir(folder)
	}
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		failCode("go.mod cannot be read")
	}
	match := moduleLine.FindSubmatch(text)
	if match == nil {
		failCode("go.mod names no module")
	}
	code := &loaded{module: string(match[1])}
	code.folder, _ = filepath.Rel(folder, wanted.Package)
	code.depth, _ = filepath.Rel(wanted.Root, folder)
	code.path = path.Join(code.module, filepath.ToSlash(code.folder))
	loader := &sources{
		set: token.NewFileSet(), module: code.module, folder: folder, packages: map[string]*types.Package{},
	}
	loader.standard = importer.ForCompiler(loader.set, "source", nil)
	code.packages = loader.packages
	code.checked = loader.check(code.path, wanted.Package)
	if code.checked == nil {
		failCode("there is no package in this folder: no Go files that are built")
	}
	return code
}

// sources imports packages of the module and of the standard library, without the bodies of functions.
type sources struct {
	set            *token.FileSet
	module, folder string
	standard       types.Importer
	packages       map[string]*types.Package
}

func (s *sources) Import(name string) (*types.Package, error) {
	if found := s.packages[name]; found != nil {
		return found, nil
	}
	folder := filepath.Join(s.folder, "vendor", name)
	if name == s.module || strings.HasPrefix(name, s.module+"/") {
		folder = filepath.Join(s.folder, strings.TrimPrefix(name, s.module))
	} else if found, err := s.standard.Import(name); err == nil {
		return found, nil
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		if checked := s.check(name, folder); checked != nil {
			return checked, nil
		}
	}
	return s.standard.Import(name)
}

// check reads what go build compiles. What it does not understand is left out, and found when the code is compiled.
func (s *sources) check(name, folder string) *types.Package {
	found, err := build.ImportDir(folder, 0)
	if err != nil || len(found.GoFiles) == 0 {
		return nil
	}
	var files []*ast.File
	for _, file := range found.GoFiles {
		parsed, err := parser.ParseFile(s.set, filepath.Join(folder, file), nil, 0)
		if err != nil {
			failCode("it does not compile: %v", err)
		}
		files = append(files, parsed)
	}
	config := types.Config{Importer: s, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	checked, _ := config.Check(name, s.set, files, nil)
	s.packages[name] = checked
	return checked
}
