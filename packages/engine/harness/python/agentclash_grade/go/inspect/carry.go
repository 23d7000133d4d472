package main

import (
	"fmt"
	"go/types"
)

// generator knows which declarations of the package the tests need.
type generator struct {
	code *types.Package
	// others are packages that the process of the tests does not have.
	others  map[string]*types.Package
	tests   *testFiles
	omitted map[string]string
	objects []types.Object
	types   []*types.TypeName
	// structs: of each type of the code that is a struct.
	structs map[*types.TypeName]*structure
	methods map[*types.TypeName][]*types.Func
	// standard are interfaces of the standard library that need an adaptor.
	standard []*types.Named
	// reasons: why a type cannot be given to another process; "" while and when it can.
	reasons map[types.Type]string
	imports *imports
}

// structure: what of a struct both processes have.
type structure struct {
	fields    []*types.Var
	tags      []string
	hasHandle bool
}

func newGenerator(code *loaded, tests *testFiles) *generator {
	return &generator{
		code: code.checked, others: code.packages, tests: tests, omitted: map[string]string{}, structs: map[*types.TypeName]*structure{},
		methods: map[*types.TypeName][]*types.Func{}, reasons: map[types.Type]string{},
	}
}

// find collects what the tests name, and the types that it consists of.
func (g *generator) find() {
	scope := g.code.Scope()
	for _, name := range scope.Names() {
		if !g.tests.used[name] || !g.mayDeclare(name) || !g.tests.isVisible(name) {
			continue
		}
		object := scope.Lookup(name)
		if reason := g.objectReason(object); reason != "" {
			g.omitted[name] = reason
			continue
		}
		if _, isType := object.(*types.TypeName); !isType {
			g.objects = append(g.objects, object)
		}
	}
}

// mayDeclare: names that Go itself, the tests or this harness have are not those of the code.
func (g *generator) mayDeclare(name string) bool {
	return types.Universe.Lookup(name) == nil && !g.tests.declared[name] && name != "_" && name != "init"
}

func (g *generator) objectReason(object types.Object) string {
	switch object := object.(type) {
	case *types.Const:
		return first(constantReason(object), g.reason(object.Type()))
	case *types.Func:
		if object.Type().(*types.Signature).TypeParams().Len() > 0 {
			return "a generic function"
		}
	case *types.TypeName:
		if object.IsAlias() {
			g.objects = append(g.objects, object)
		}
	}
	return g.reason(object.Type())
}

// reason is why values of the type cannot be given to another process; "" when they can.
func (g *generator) reason(kind types.Type) string {
	if known, found := g.reasons[kind]; found {
		return known
	}
	g.reasons[kind] = ""
	found := g.reasonOf(kind)
	g.reasons[kind] = found
	return found
}

func (g *generator) reasonOf(kind types.Type) string {
	switch kind := kind.(type) {
	case *types.Basic:
		if kind.Kind() == types.UnsafePointer || kind.Kind() == types.Invalid {
			return kind.String()
		}
		return ""
	case *types.Named:
		return g.namedReason(kind)
	case *types.Pointer:
		return g.reason(kind.Elem())
	case *types.Slice:
		return g.reason(kind.Elem())
	case *types.Array:
		return g.reason(kind.Elem())
	case *types.Map:
		return first(g.reason(kind.Key()), g.reason(kind.Elem()))
	case *types.Signature:
		return first(g.tupleReason(kind.Params()), g.tupleReason(kind.Results()))
	case *types.Interface:
		if kind.NumMethods() == 0 && kind.IsMethodSet() {
			return ""
		}
		return "an interface without a name"
	case *types.Struct:
		for at := 0; at < kind.NumFields(); at++ {
			if reason := g.reason(kind.Field(at).Type()); reason != "" || !kind.Field(at).Exported() {
				return first(reason, "a struct without a name that has fields which are not exported")
			}
		}
		return ""
	case *types.Chan:
		return "a channel"
	}
	return fmt.Sprintf("a %v", kind)
}

func first(reasons ...string) string {
	for _, reason := range reasons {
		if reason != "" {
			return reason
		}
	}
	return ""
}

func (g *generator) tupleReason(values *types.Tuple) string {
	for at := 0; at < values.Len(); at++ {
		if reason := g.reason(values.At(at).Type()); reason != "" {
			return reason
		}
	}
	return ""
}

var asText = map[string]bool{
	"time.Time": true, "math/big.Int": true, "math/big.Rat": true, "math/big.Float": true,
	"net/netip.Addr": true, "net/netip.Prefix": true,
}

func (g *generator) namedReason(kind *types.Named) string {
	object := kind.Obj()
	if kind.TypeParams().Len() > 0 {
		return "a generic type"
	}
	if object.Pkg() == nil {
		return ""
	}
	name := object.Pkg().Path() + "." + object.Name()
	if object.Pkg() == g.code {
		return g.ownReason(kind)
	}
	if !object.Exported() || g.others[object.Pkg().Path()] != nil {
		return name + ", a type of another package"
	}
	if asText[name] {
		return ""
	}
	switch underlying := kind.Underlying().(type) {
	case *types.Interface:
		if reason := g.interfaceReason(underlying); reason != "" {
			return name + ", " + reason
		}
		g.standard = append(g.standard, kind)
		return ""
	case *types.Struct:
		for at := 0; at < underlying.NumFields(); at++ {
			if !underlying.Field(at).Exported() || g.reason(underlying.Field(at).Type()) != "" {
				return name
			}
		}
		return ""
	default:
		return g.reason(underlying)
	}
}

func (g *generator) interfaceReason(kind *types.Interface) string {
	if !kind.IsMethodSet() {
		return "a constraint"
	}
	for at := 0; at < kind.NumMethods(); at++ {
		method := kind.Method(at)
		if !method.Exported() {
			return "an interface with the method " + method.Name() + ", which is not exported"
		}
		if reason := g.reason(method.Type()); reason != "" {
			return "an interface whose method " + method.Name() + " has " + reason
		}
	}
	return ""
}

// ownReason declares the type for the tests.
func (g *generator) ownReason(kind *types.Named) string {
	name := kind.Obj()
	if !g.mayDeclare(name.Name()) || name.Parent() != g.code.Scope() {
		return name.Name() + ", whose name is taken"
	}
	at := len(g.types)
	g.types = append(g.types, name)
	reason := ""
	switch underlying := kind.Underlying().(type) {
	case *types.Struct:
		g.structs[name] = g.structureOf(underlying)
	case *types.Interface:
		reason = g.interfaceReason(underlying)
	default:
		reason = g.reason(underlying)
	}
	if reason != "" {
		g.types = append(g.types[:at:at], g.types[at+1:]...)
		return name.Name() + ", " + reason
	}
	if !types.IsInterface(kind) {
		g.findMethods(kind)
	}
	return ""
}

// structureOf: fields that tests cannot see, and those that cannot be given to them, stay with the code.
func (g *generator) structureOf(kind *types.Struct) *structure {
	found := &structure{}
	for at := 0; at < kind.NumFields(); at++ {
		field := kind.Field(at)
		isEmbeddedOther := field.Embedded() && !g.isOwn(field.Type())
		if !g.tests.isVisible(field.Name()) || field.Name() == "_" || isEmbeddedOther || g.reason(field.Type()) != "" {
			found.hasHandle = true
			continue
		}
		found.fields = append(found.fields, field)
		found.tags = append(found.tags, kind.Tag(at))
	}
	return found
}

func (g *generator) isOwn(kind types.Type) bool {
	if pointer, ok := kind.(*types.Pointer); ok {
		kind = pointer.Elem()
	}
	named, ok := kind.(*types.Named)
	return ok && named.Obj().Pkg() == g.code
}

// findMethods: also those of embedded fields that the tests do not have.
func (g *generator) findMethods(kind *types.Named) {
	name := kind.Obj()
	set := types.NewMethodSet(types.NewPointer(kind))
	for at := 0; at < set.Len(); at++ {
		selection := set.At(at)
		method := selection.Obj().(*types.Func)
		if !g.tests.isVisible(method.Name()) || len(selection.Index()) > 1 && g.isPromoted(name, kind, selection.Index()[0]) {
			continue
		}
		if reason := g.reason(method.Type()); reason != "" {
			if g.tests.used[method.Name()] {
				g.omitted[name.Name()+"."+method.Name()] = reason
			}
			continue
		}
		g.methods[name] = append(g.methods[name], method)
	}
}

func (g *generator) isPromoted(name *types.TypeName, kind *types.Named, field int) bool {
	underlying, ok := kind.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for _, each := range g.structs[name].fields {
		if each == underlying.Field(field) {
			return true
		}
	}
	return false
}

// takesPointer: of a method, also of one that is promoted.
func takesPointer(kind *types.Named, method *types.Func) bool {
	set := types.NewMethodSet(kind)
	return set.Lookup(method.Pkg(), method.Name()) == nil
}

func isErrorVariable(object types.Object) bool {
	_, isVariable := object.(*types.Var)
	return isVariable && types.Identical(object.Type(), types.Universe.Lookup("error").Type())
}
