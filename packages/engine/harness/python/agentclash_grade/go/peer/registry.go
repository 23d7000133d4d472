// Package agentclashpeer connects the hidden tests with the code that they test. Both processes have it: the one of the
// tests holds a package of the same names whose functions request those of the other.
package agentclashpeer

import (
	"reflect"
	"sync"
)

// TypeInfo describes a type of the package under test, which both processes declare.
type TypeInfo struct {
	Name string
	Type reflect.Type
	// Fields are those that are copied; nil: the type is no struct.
	Fields []string
	// HasHandle: it has other fields too, so that its objects stay in the process of the code.
	HasHandle bool
}

// Registration is what a process declares of the package under test.
type Registration struct {
	Types []TypeInfo
	// Functions by name, methods as Type.Method; empty in the process of the tests.
	Functions map[string]any
	// Variables are pointers to them.
	Variables map[string]any
	// Errors are pointers to variables of type error, which keep their identity.
	Errors map[string]*error
	// Adaptors make an object that implements an interface by requests, by a nil pointer to the interface.
	Adaptors map[any]func(*Remote) any
}

// Handle is the part of an object that the tests hold of one that stays in the process of the code.
type Handle struct {
	id uint64
	// The place of the object it was made for: a copy of that object is one of its own.
	at uintptr
}

var (
	typeInfos   = map[reflect.Type]*TypeInfo{}
	typesByName = map[string]*TypeInfo{}
	functions   = map[string]reflect.Value{}
	variables   = map[string]reflect.Value{}
	ownErrors   = map[string]*error{}
	adaptors    = map[reflect.Type]func(*Remote) any{}
	isJudge     bool
	// The code may change slices, maps and variables of the tests that it is given.
	trustsArguments bool
	// noteChange is called when the code has changed what it may not.
	noteChange = func() {}
)

// Register adds what a package declares; the result lets variables depend on it.
func Register(added Registration) bool {
	for at := range added.Types {
		info := &added.Types[at]
		typeInfos[info.Type], typesByName[info.Name] = info, info
	}
	for name, function := range added.Functions {
		functions[name] = reflect.ValueOf(function)
	}
	for name, variable := range added.Variables {
		variables[name] = reflect.ValueOf(variable).Elem()
	}
	for name, variable := range added.Errors {
		ownErrors[name] = variable
	}
	for kind, adaptor := range added.Adaptors {
		adaptors[reflect.TypeOf(kind).Elem()] = adaptor
	}
	return true
}

type objectKey struct {
	address uintptr
	kind    reflect.Type
}

// objects are those of this process that the other one knows by number.
type objects struct {
	lock    sync.Mutex
	byID    map[uint64]reflect.Value
	ids     map[objectKey]uint64
	values  map[any]uint64
	proxies map[uint64]reflect.Value
	remotes map[uint64]*Remote
	next    uint64
	// fields: of each handle what the tests have last received of its object.
	fields map[uint64]received
	// sent: the objects whose fields the tests have received; version counts what was sent.
	sent    map[uint64]bool
	version uint64
}

var table = objects{
	byID: map[uint64]reflect.Value{}, ids: map[objectKey]uint64{}, values: map[any]uint64{},
	proxies: map[uint64]reflect.Value{}, remotes: map[uint64]*Remote{},
	fields: map[uint64]received{}, sent: map[uint64]bool{},
}

// idOfPointer keeps the object, so that its address stays its own.
func (o *objects) idOfPointer(pointer reflect.Value) uint64 {
	o.lock.Lock()
	defer o.lock.Unlock()
	key := objectKey{pointer.Pointer(), pointer.Type()}
	id, found := o.ids[key]
	if !found {
		o.next++
		id = o.next
		o.ids[key], o.byID[id] = id, pointer
	}
	return id
}

func (o *objects) idOfValue(value reflect.Value) uint64 {
	o.lock.Lock()
	defer o.lock.Unlock()
	key := hashable(value)
	if id, found := o.values[key]; found && key != nil {
		return id
	}
	o.next++
	o.byID[o.next] = value
	if key != nil {
		o.values[key] = o.next
	}
	return o.next
}

func hashable(value reflect.Value) (key any) {
	defer func() {
		if recover() != nil {
			key = nil
		}
	}()
	key = value.Interface()
	_ = map[any]bool{key: true}
	return key
}

func (o *objects) find(id uint64) reflect.Value {
	o.lock.Lock()
	defer o.lock.Unlock()
	found, ok := o.byID[id]
	if !ok {
		panic(wireError("there is no such object"))
	}
	return found
}

// proxy is the object of the tests for a handle; made once.
func (o *objects) proxy(id uint64, make func() reflect.Value) reflect.Value {
	o.lock.Lock()
	defer o.lock.Unlock()
	found, ok := o.proxies[id]
	if !ok {
		found = make()
		o.proxies[id] = found
	}
	return found
}

func (o *objects) setProxy(id uint64, pointer reflect.Value) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.proxies[id] = pointer
}

func (o *objects) remote(id uint64) *Remote {
	o.lock.Lock()
	defer o.lock.Unlock()
	found, ok := o.remotes[id]
	if !ok {
		found = &Remote{id: id}
		o.remotes[id] = found
	}
	return found
}

// TypeOf lets packages name their types.
func TypeOf[T any]() reflect.Type { return typeOf[T]() }
