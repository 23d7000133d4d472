package agentclashpeer

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
)

// decoder reads values by their types; whatever does not fit panics. What it makes is bounded by what it reads.
type decoder struct {
	bytes []byte
	refs  []reflect.Value
	own   []bool
}

func (d *decoder) take(count uint64) []byte {
	if count > uint64(len(d.bytes)) {
		panic(wireError("the message is too short"))
	}
	taken := d.bytes[:count]
	d.bytes = d.bytes[count:]
	return taken
}

func (d *decoder) byte() byte { return d.take(1)[0] }

func (d *decoder) unsigned() uint64 {
	value, size := binary.Uvarint(d.bytes)
	if size <= 0 {
		panic(wireError("no number"))
	}
	d.bytes = d.bytes[size:]
	return value
}

func (d *decoder) signed() int64 {
	value, size := binary.Varint(d.bytes)
	if size <= 0 {
		panic(wireError("no number"))
	}
	d.bytes = d.bytes[size:]
	return value
}

func (d *decoder) text() string { return string(d.take(d.unsigned())) }

func (d *decoder) float() float64 {
	return math.Float64frombits(binary.BigEndian.Uint64(d.take(8)))
}

// length: an element takes a byte at least.
func (d *decoder) length() int {
	count := d.unsigned()
	if count > uint64(len(d.bytes)) {
		panic(wireError("too long"))
	}
	return int(count)
}

func (d *decoder) end() {
	if len(d.bytes) > 0 {
		panic(wireError("the message is too long"))
	}
}

func (d *decoder) value(into reflect.Value) {
	into = settable(into)
	kind := into.Type()
	if asText[kind] {
		if err := into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(d.text())); err != nil {
			panic(wireError(err.Error()))
		}
		return
	}
	switch kind.Kind() {
	case reflect.Bool:
		into.SetBool(d.unsigned() == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		into.SetInt(d.signed())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		into.SetUint(d.unsigned())
	case reflect.Float32, reflect.Float64:
		into.SetFloat(d.float())
	case reflect.Complex64, reflect.Complex128:
		re := d.float()
		into.SetComplex(complex(re, d.float()))
	case reflect.String:
		into.SetString(d.text())
	case reflect.Array:
		d.elements(into)
	case reflect.Struct:
		d.structure(into)
	case reflect.Slice, reflect.Map, reflect.Pointer:
		d.reference(into)
	case reflect.Func:
		d.function(into)
	case reflect.Interface:
		d.dynamic(into)
	default:
		panic(notCarried(kind))
	}
}

func (d *decoder) elements(list reflect.Value) {
	if list.Kind() == reflect.Slice && list.Type().Elem().Kind() == reflect.Uint8 {
		copy(list.Bytes(), d.take(uint64(list.Len())))
		return
	}
	for at := 0; at < list.Len(); at++ {
		d.value(list.Index(at))
	}
}

func (d *decoder) structure(into reflect.Value) {
	info := typeInfos[into.Type()]
	if info != nil && info.HasHandle {
		id := d.unsigned()
		if isJudge {
			*handleIn(into) = Handle{id, into.UnsafeAddr()}
		} else if id != 0 {
			into.Set(table.object(id, into.Type()).Elem())
		}
		d.handled(into, info, id)
		return
	}
	d.fields(into, info)
}

// object is that of a handle.
func (o *objects) object(id uint64, kind reflect.Type) reflect.Value {
	found := o.find(id)
	if found.Type() != reflect.PointerTo(kind) {
		panic(wireError("an object of another type"))
	}
	return found
}

func (d *decoder) fields(into reflect.Value, info *TypeInfo) {
	fields := fieldsOf(into, info)
	if len(fields) == 0 {
		d.byte()
	}
	for _, field := range fields {
		d.value(field)
	}
}

func (d *decoder) reference(into reflect.Value) {
	switch number := d.unsigned(); number {
	case 0:
		into.Set(reflect.Zero(into.Type()))
	case 1:
		d.newReference(into)
	default:
		if number-2 >= uint64(len(d.refs)) {
			panic(wireError("there is no such reference"))
		}
		into.Set(d.refs[number-2].Convert(into.Type()))
	}
}

func (d *decoder) newReference(into reflect.Value) {
	kind := into.Type()
	switch kind.Kind() {
	case reflect.Slice:
		count := d.length()
		made := reflect.MakeSlice(kind, count, count)
		d.refs = append(d.refs, made)
		d.elements(made)
		into.Set(made)
	case reflect.Map:
		count := d.length()
		made := reflect.MakeMap(kind)
		d.refs = append(d.refs, made)
		d.entries(made, count)
		into.Set(made)
	default:
		pointer := d.pointer(kind.Elem())
		d.refs = append(d.refs, pointer)
		into.Set(pointer)
		d.pointed(pointer)
	}
}

func (d *decoder) entries(into reflect.Value, count int) {
	for ; count > 0; count-- {
		key, value := reflect.New(into.Type().Key()).Elem(), reflect.New(into.Type().Elem()).Elem()
		d.value(key)
		d.value(value)
		into.SetMapIndex(key, value)
	}
}

// pointer is the object that a new reference leads to; its fields follow.
func (d *decoder) pointer(kind reflect.Type) reflect.Value {
	info := typeInfos[kind]
	if info == nil || !info.HasHandle {
		return reflect.New(kind)
	}
	id, isCopy := d.unsigned(), d.unsigned() == 1
	if isJudge {
		return table.proxy(id, func() reflect.Value {
			made := reflect.New(kind)
			*handleIn(made.Elem()) = Handle{id, made.Pointer()}
			return made
		})
	}
	if id == 0 {
		return reflect.New(kind)
	}
	found := table.object(id, kind)
	if isCopy {
		copied := reflect.New(kind)
		copied.Elem().Set(found.Elem())
		return copied
	}
	return found
}

func (d *decoder) pointed(pointer reflect.Value) {
	info := typeInfos[pointer.Type().Elem()]
	if info != nil && info.HasHandle {
		id := uint64(0)
		if isJudge {
			id = handleIn(pointer.Elem()).id
		}
		d.handled(pointer.Elem(), info, id)
		return
	}
	d.value(pointer.Elem())
}

// restore reads what the references of the request hold now, into them or, where that is not allowed, into copies.
func (d *decoder) restore(isAllowed bool) {
	copied := map[int]reflect.Value{}
	for at, value := range d.refs {
		if !isAllowed && !d.own[at] {
			copied[at], d.refs[at] = value, emptied(value)
		}
	}
	count := len(d.refs)
	defer func() {
		for at, value := range copied {
			if !reflect.DeepEqual(d.refs[at].Interface(), value.Interface()) {
				noteChange()
			}
		}
	}()
	for _, value := range d.refs[:count:count] {
		switch value.Kind() {
		case reflect.Slice:
			d.elements(value)
		case reflect.Map:
			length := d.length()
			for _, key := range value.MapKeys() {
				value.SetMapIndex(key, reflect.Value{})
			}
			d.entries(value, length)
		default:
			d.restorePointed(value)
		}
	}
}

func emptied(value reflect.Value) reflect.Value {
	switch value.Kind() {
	case reflect.Slice:
		return reflect.MakeSlice(value.Type(), value.Len(), value.Len())
	case reflect.Map:
		return reflect.MakeMap(value.Type())
	default:
		return reflect.New(value.Type().Elem())
	}
}

func (d *decoder) restorePointed(pointer reflect.Value) {
	info := typeInfos[pointer.Type().Elem()]
	if info != nil && info.HasHandle {
		id := d.unsigned()
		d.unsigned()
		if isJudge {
			*handleIn(pointer.Elem()) = Handle{id, pointer.Pointer()}
			table.setProxy(id, pointer)
		}
	}
	d.pointed(pointer)
}
