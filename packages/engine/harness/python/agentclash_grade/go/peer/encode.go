package agentclashpeer

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

type identity struct {
	address uintptr
	length  int
	kind    reflect.Type
}

// encoder writes values by their types, which both processes know. Pointers, slices and maps are references: one that
// occurs again is written as its number, and their content after the call is written back.
type encoder struct {
	bytes []byte
	refs  []reflect.Value
	// own: of each reference whether it belongs to an object of a type of the code.
	own   []bool
	seen  map[identity]int
	inOwn int
	// isQuiet: no other call may change the fields of objects.
	isQuiet bool
	// isPrint: the bytes are compared, and no object is followed.
	isPrint bool
}

func newEncoder() *encoder { return &encoder{seen: map[identity]int{}} }

func (e *encoder) byte(value byte)       { e.bytes = append(e.bytes, value) }
func (e *encoder) unsigned(value uint64) { e.bytes = binary.AppendUvarint(e.bytes, value) }
func (e *encoder) text(value string) {
	e.unsigned(uint64(len(value)))
	e.bytes = append(e.bytes, value...)
}

// settable is the same value without the ban on fields that are not exported.
func settable(value reflect.Value) reflect.Value {
	if !value.CanAddr() {
		copied := reflect.New(value.Type()).Elem()
		copied.Set(value)
		value = copied
	}
	return reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
}

func (e *encoder) value(value reflect.Value) {
	value = settable(value)
	kind := value.Type()
	if _, isOwn := typeInfos[kind]; isOwn {
		e.inOwn++
		defer func() { e.inOwn-- }()
	}
	if asText[kind] {
		text, err := value.Addr().Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			panic(wireError(err.Error()))
		}
		e.text(string(text))
		return
	}
	switch kind.Kind() {
	case reflect.Bool:
		e.unsigned(map[bool]uint64{true: 1}[value.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.bytes = binary.AppendVarint(e.bytes, value.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.unsigned(value.Uint())
	case reflect.Float32, reflect.Float64:
		e.float(value.Float())
	case reflect.Complex64, reflect.Complex128:
		e.float(real(value.Complex()))
		e.float(imag(value.Complex()))
	case reflect.String:
		e.text(value.String())
	case reflect.Array:
		e.elements(value)
	case reflect.Struct:
		e.structure(value)
	case reflect.Slice, reflect.Map, reflect.Pointer:
		e.reference(value)
	case reflect.Func:
		e.function(value)
	case reflect.Interface:
		e.dynamic(value)
	default:
		panic(notCarried(kind))
	}
}

func notCarried(kind reflect.Type) wireError {
	return wireError(fmt.Sprintf("agentclash-grade: a %v cannot be given to the other process", kind))
}

func (e *encoder) float(value float64) {
	e.bytes = binary.BigEndian.AppendUint64(e.bytes, math.Float64bits(value))
}

func (e *encoder) elements(list reflect.Value) {
	if list.Kind() == reflect.Slice && list.Type().Elem().Kind() == reflect.Uint8 {
		e.bytes = append(e.bytes, list.Bytes()...)
		return
	}
	for at := 0; at < list.Len(); at++ {
		e.value(list.Index(at))
	}
}

// structure: the object of a handle is written as its number.
func (e *encoder) structure(value reflect.Value) {
	info := typeInfos[value.Type()]
	if info != nil && info.HasHandle {
		id := handleOf(value)
		e.unsigned(id)
		e.handled(value, info, id)
		return
	}
	e.fields(value, info)
}

func (e *encoder) fields(value reflect.Value, info *TypeInfo) {
	fields := fieldsOf(value, info)
	if len(fields) == 0 {
		e.byte(0)
	}
	for _, field := range fields {
		e.value(field)
	}
}

func fieldsOf(value reflect.Value, info *TypeInfo) []reflect.Value {
	var fields []reflect.Value
	if info != nil {
		for _, name := range info.Fields {
			fields = append(fields, value.FieldByName(name))
		}
		return fields
	}
	for at := 0; at < value.NumField(); at++ {
		if !value.Type().Field(at).IsExported() {
			panic(notCarried(value.Type()))
		}
		fields = append(fields, value.Field(at))
	}
	return fields
}

func handleIn(value reflect.Value) *Handle {
	return (*Handle)(unsafe.Pointer(value.FieldByName("agentclash").UnsafeAddr()))
}

// reference: 0 is nil, 1 a new one, others the number of one before.
func (e *encoder) reference(value reflect.Value) {
	if value.IsNil() {
		e.unsigned(0)
		return
	}
	// As it is now: the variable that holds it may change.
	value = reflect.ValueOf(value.Interface())
	key := identityOf(value)
	if number, found := e.seen[key]; found {
		e.unsigned(uint64(number) + 2)
		return
	}
	e.unsigned(1)
	if value.Kind() != reflect.Pointer {
		e.unsigned(uint64(value.Len()))
	}
	e.remember(key, value)
	e.content(value)
}

func (e *encoder) remember(key identity, value reflect.Value) {
	if _, found := e.seen[key]; !found && !isEmptySlice(value) {
		e.seen[key] = len(e.refs)
	}
	isOwn := e.inOwn > 0
	if value.Kind() == reflect.Pointer {
		_, isOwnType := typeInfos[value.Type().Elem()]
		isOwn = isOwn || isOwnType
	}
	e.refs, e.own = append(e.refs, value), append(e.own, isOwn)
}

func isEmptySlice(value reflect.Value) bool {
	return value.Kind() == reflect.Slice && value.Len() == 0
}

func identityOf(value reflect.Value) identity {
	key := identity{address: value.Pointer(), kind: value.Type()}
	if value.Kind() == reflect.Slice {
		key.length = value.Len()
	}
	return key
}

func (e *encoder) content(value reflect.Value) {
	switch value.Kind() {
	case reflect.Slice:
		e.elements(value)
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			e.value(entries.Key())
			e.value(entries.Value())
		}
	default:
		e.pointee(value)
	}
}

// pointee: an object with a handle keeps its identity; a copy of one becomes an object of its own.
func (e *encoder) pointee(pointer reflect.Value) {
	info := typeInfos[pointer.Type().Elem()]
	if info == nil || !info.HasHandle {
		e.value(pointer.Elem())
		return
	}
	e.inOwn++
	defer func() { e.inOwn-- }()
	var id uint64
	isCopy := false
	if !isJudge {
		id = table.idOfPointer(pointer)
	} else {
		handle := handleIn(pointer.Elem())
		id, isCopy = handle.id, handle.id != 0 && handle.at != pointer.Pointer()
	}
	e.unsigned(id)
	e.unsigned(map[bool]uint64{true: 1}[isCopy])
	if !e.isPrint {
		e.handled(pointer.Elem(), info, id)
	}
}

// restore writes what the references of a request hold after it.
func (e *encoder) restore(refs []reflect.Value) {
	for _, value := range refs {
		e.remember(identityOf(value), value)
	}
	for _, value := range refs {
		if value.Kind() == reflect.Map {
			e.unsigned(uint64(value.Len()))
		}
		e.content(value)
	}
}
