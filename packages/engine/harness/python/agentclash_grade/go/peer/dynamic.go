package agentclashpeer

import (
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"time"
)

// asText: types of the standard library that are copied as their text.
var asText = map[reflect.Type]bool{
	typeOf[time.Time](): true, typeOf[big.Int](): true, typeOf[big.Rat](): true, typeOf[big.Float](): true,
	typeOf[netip.Addr](): true, typeOf[netip.Prefix](): true,
}

func typeOf[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

var (
	anyType   = typeOf[any]()
	errorType = typeOf[error]()
	// plainTypes are those that an interface may hold without being of the package under test.
	plainTypes = map[string]reflect.Type{}
)

func init() {
	for _, kind := range []reflect.Type{
		typeOf[bool](), typeOf[int](), typeOf[int8](), typeOf[int16](), typeOf[int32](), typeOf[int64](), typeOf[uint](),
		typeOf[uint8](), typeOf[uint16](), typeOf[uint32](), typeOf[uint64](), typeOf[float32](), typeOf[float64](),
		typeOf[complex64](), typeOf[complex128](), typeOf[string](), typeOf[struct{}](), typeOf[time.Duration](),
		typeOf[time.Month](), typeOf[time.Weekday](), typeOf[url.Values](), anyType, errorType,
	} {
		plainTypes[kind.String()] = kind
	}
	for kind := range asText {
		plainTypes[kind.String()] = kind
	}
}

const depthMax = 32

// describe writes a type, or returns false.
func (e *encoder) describe(kind reflect.Type, depth int) bool {
	if depth > depthMax {
		return false
	}
	if info, found := typeInfos[kind]; found {
		e.byte('n')
		e.text(info.Name)
		return true
	}
	if plainTypes[kind.String()] == kind {
		e.byte('s')
		e.text(kind.String())
		return true
	}
	if kind.Name() != "" {
		return false
	}
	switch kind.Kind() {
	case reflect.Slice:
		e.byte('[')
	case reflect.Pointer:
		e.byte('*')
	case reflect.Map:
		e.byte('m')
		if !e.describe(kind.Key(), depth+1) {
			return false
		}
	default:
		return false
	}
	return e.describe(kind.Elem(), depth+1)
}

func (d *decoder) described(depth int) reflect.Type {
	if depth > depthMax {
		panic(wireError("no type"))
	}
	switch d.byte() {
	case 'n':
		if info, found := typesByName[d.text()]; found {
			return info.Type
		}
	case 's':
		if kind, found := plainTypes[d.text()]; found {
			return kind
		}
	case '[':
		return reflect.SliceOf(d.described(depth + 1))
	case '*':
		return reflect.PointerTo(d.described(depth + 1))
	case 'm':
		key := d.described(depth + 1)
		return reflect.MapOf(key, d.described(depth+1))
	}
	panic(wireError("no type"))
}

// dynamic writes the value of an interface: data with its type, an error, or an object that stays in its process.
func (e *encoder) dynamic(value reflect.Value) {
	if value.IsNil() {
		e.byte(0)
		return
	}
	held := value.Elem()
	if holder, ok := held.Interface().(RemoteHolder); ok {
		e.byte('r')
		e.unsigned(holder.AgentclashRemote().id)
		return
	}
	start := len(e.bytes)
	e.byte('d')
	if e.describe(held.Type(), 0) {
		e.value(held)
		return
	}
	e.bytes = e.bytes[:start]
	if err, ok := held.Interface().(error); ok && errorType.AssignableTo(value.Type()) {
		e.byte('e')
		e.err(err, 0)
		return
	}
	if adaptors[value.Type()] == nil && isJudge {
		panic(notCarried(held.Type()))
	}
	e.byte('o')
	e.unsigned(table.idOfValue(held))
}

func (d *decoder) dynamic(into reflect.Value) {
	switch d.byte() {
	case 0:
		into.Set(reflect.Zero(into.Type()))
	case 'r':
		into.Set(table.find(d.unsigned()))
	case 'd':
		value := reflect.New(d.described(0)).Elem()
		d.value(value)
		into.Set(value)
	case 'e':
		into.Set(reflect.ValueOf(d.err(0)))
	case 'o':
		remote := table.remote(d.unsigned())
		if adaptor := adaptors[into.Type()]; adaptor != nil {
			into.Set(reflect.ValueOf(adaptor(remote)))
			return
		}
		into.Set(reflect.ValueOf(remote))
	default:
		panic(wireError("no value of an interface"))
	}
}

// AgentclashRemote lets an object that no adaptor stands for find its way back.
func (r *Remote) AgentclashRemote() *Remote { return r }

func (e *encoder) function(value reflect.Value) {
	if value.IsNil() {
		e.unsigned(0)
		return
	}
	e.unsigned(table.idOfValue(reflect.ValueOf(value.Interface())))
}

func (d *decoder) function(into reflect.Value) {
	id := d.unsigned()
	if id == 0 {
		into.Set(reflect.Zero(into.Type()))
		return
	}
	kind := into.Type()
	into.Set(reflect.MakeFunc(kind, func(arguments []reflect.Value) []reflect.Value {
		results := make([]reflect.Value, kind.NumOut())
		for at := range results {
			results[at] = reflect.New(kind.Out(at)).Elem()
		}
		call(func(e *encoder) { e.byte(objectTarget); e.unsigned(id) }, arguments, results, false)
		return results
	}))
}
