package agentclashpeer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"strconv"
)

// knownErrors are those of the standard library that keep their identity.
var knownErrors = map[string]error{
	"io.EOF": io.EOF, "io.ErrUnexpectedEOF": io.ErrUnexpectedEOF, "io.ErrShortBuffer": io.ErrShortBuffer,
	"io.ErrShortWrite": io.ErrShortWrite, "io.ErrClosedPipe": io.ErrClosedPipe, "io.ErrNoProgress": io.ErrNoProgress,
	"fs.ErrNotExist": fs.ErrNotExist, "fs.ErrExist": fs.ErrExist, "fs.ErrInvalid": fs.ErrInvalid,
	"fs.ErrPermission": fs.ErrPermission, "fs.ErrClosed": fs.ErrClosed, "os.ErrDeadlineExceeded": os.ErrDeadlineExceeded,
	"context.Canceled": context.Canceled, "context.DeadlineExceeded": context.DeadlineExceeded,
	"strconv.ErrSyntax": strconv.ErrSyntax, "strconv.ErrRange": strconv.ErrRange,
}

const wrappedMax = 16

// Foreign is an error of the other process that is of no type which both have.
type Foreign struct {
	text    string
	wrapped []error
	remote  *Remote
}

func (f *Foreign) Error() string             { return f.text }
func (f *Foreign) AgentclashRemote() *Remote { return f.remote }

func (f *Foreign) Unwrap() error {
	if len(f.wrapped) == 1 {
		return f.wrapped[0]
	}
	return nil
}

func (f *Foreign) Is(target error) bool {
	for _, each := range f.wrapped {
		if errors.Is(each, target) {
			return true
		}
	}
	return false
}

func (f *Foreign) As(target any) bool {
	for _, each := range f.wrapped {
		if errors.As(each, target) {
			return true
		}
	}
	return false
}

// namedError is a variable of type error of the package under test.
type namedError struct {
	name string
	text string
}

func (n *namedError) Error() string { return n.text }

// NamedError is the one of the tests for such a variable; nil where it is nil.
func NamedError(_ bool, name string) error {
	var text string
	var isSet bool
	target := func(e *encoder) { e.byte(errorTarget); e.text(name) }
	results := []reflect.Value{reflect.ValueOf(&isSet).Elem(), reflect.ValueOf(&text).Elem()}
	call(target, nil, results, false)
	if !isSet {
		return nil
	}
	return &namedError{name, text}
}

func (e *encoder) err(err error, depth int) {
	if depth > depthMax {
		panic(wireError("agentclash-grade: errors are wrapped too deeply"))
	}
	if name := nameOf(err); name != "" {
		e.byte('n')
		e.text(name)
		return
	}
	for name, known := range knownErrors {
		if isSame(err, known) {
			e.byte('s')
			e.text(name)
			return
		}
	}
	if holder, ok := err.(RemoteHolder); ok {
		e.byte('r')
		e.unsigned(holder.AgentclashRemote().id)
		return
	}
	start := len(e.bytes)
	e.byte('d')
	if e.describe(reflect.TypeOf(err), 0) {
		e.value(reflect.ValueOf(err))
		return
	}
	e.bytes = e.bytes[:start]
	e.byte('x')
	e.unsigned(table.idOfValue(reflect.ValueOf(err)))
	e.text(err.Error())
	wrapped := wrappedBy(err)
	e.unsigned(uint64(len(wrapped)))
	for _, each := range wrapped {
		e.err(each, depth+1)
	}
}

// nameOf finds the variable that holds the error.
func nameOf(err error) string {
	if named, ok := err.(*namedError); ok {
		return named.name
	}
	for name, variable := range ownErrors {
		if !isJudge && *variable != nil && isSame(err, *variable) {
			return name
		}
	}
	return ""
}

func isSame(one, other error) (same bool) {
	defer func() { _ = recover() }()
	return one == other
}

func wrappedBy(err error) (wrapped []error) {
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{wrapper.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = wrapper.Unwrap()
	}
	var found []error
	for _, each := range wrapped {
		if each != nil && len(found) < wrappedMax {
			found = append(found, each)
		}
	}
	return found
}

func (d *decoder) err(depth int) error {
	if depth > depthMax {
		panic(wireError("errors are wrapped too deeply"))
	}
	switch d.byte() {
	case 'n':
		if variable, found := ownErrors[d.text()]; found {
			return *variable
		}
	case 's':
		if known, found := knownErrors[d.text()]; found {
			return known
		}
	case 'r':
		return table.find(d.unsigned()).Interface().(error)
	case 'd':
		value := reflect.New(d.described(0)).Elem()
		d.value(value)
		return value.Interface().(error)
	case 'x':
		made := &Foreign{remote: table.remote(d.unsigned()), text: d.text()}
		for count := d.length(); count > 0; count-- {
			made.wrapped = append(made.wrapped, d.err(depth+1))
		}
		return made
	}
	panic(wireError("no error"))
}

// runtimeError is a panic of the runtime in the other process.
type runtimeError string

func (r runtimeError) Error() string { return string(r) }
func (r runtimeError) RuntimeError() {}

// raised writes the value of a panic; one that cannot be given is written as its text.
func (e *encoder) raised(value any) {
	if err, ok := value.(runtime.Error); ok {
		e.byte('e')
		e.text(err.Error())
		return
	}
	start := len(e.bytes)
	defer func() {
		if recover() != nil {
			e.bytes = append(e.bytes[:start], 't')
			e.text(fmt.Sprint(value))
		}
	}()
	e.byte('v')
	e.value(reflect.ValueOf(&value).Elem())
}

func (d *decoder) raised() any {
	switch d.byte() {
	case 'e':
		return runtimeError(d.text())
	case 't':
		return d.text()
	}
	var value any
	d.value(reflect.ValueOf(&value).Elem())
	if value == nil {
		panic(wireError("no panic"))
	}
	return value
}
