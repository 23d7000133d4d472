// Command inspect reads a package under test and its hidden tests, and writes what connects the two: a package of the
// same names for the tests, and a file that lets the package serve them. It runs no code of either.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	// Root is the working directory of the code, Package a folder of it.
	Root, Package string
	// Tests are the files by their path within the folder of the tests.
	Tests map[string][]byte
}

type result struct {
	// Pack: why nothing can be graded; Code: why the code passes nothing.
	Pack, Code string
	// Names of the tests.
	Names []string
	// Module is the path of the module, Folder that of the package within it, Depth the folder of the module below Root.
	Module, Folder, Depth string
	ImportPath            string
	// Tests is what is compiled with Proxy; Server is compiled with the code.
	Tests         map[string]string
	Proxy, Server string
	// Omitted: names that the tests use and that cannot be given to them, with the reason.
	Omitted map[string]string
}

type packError string

type codeError string

func main() {
	var wanted request
	if err := json.NewDecoder(os.Stdin).Decode(&wanted); err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(inspected(wanted)); err != nil {
		panic(err)
	}
}

func inspected(wanted request) (found result) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case packError:
			found.Pack = string(reason)
		case codeError:
			found.Code = string(reason)
		default:
			panic(reason)
		}
	}()
	tests := readTests(wanted.Tests)
	found.Names, found.Tests = tests.names, tests.rewritten()
	code := load(wanted)
	found.Module, found.Folder, found.Depth, found.ImportPath = code.module, code.folder, code.depth, code.path
	tests.check(code)
	generator := newGenerator(code, tests)
	generator.find()
	found.Proxy, found.Server = generator.proxy(), generator.server()
	found.Omitted = generator.omitted
	return found
}

func failPack(format string, values ...any) { panic(packError(fmt.Sprintf(format, values...))) }
func failCode(format string, values ...any) { panic(codeError(fmt.Sprintf(format, values...))) }
