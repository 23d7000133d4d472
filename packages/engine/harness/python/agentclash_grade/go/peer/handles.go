package agentclashpeer

import (
	"reflect"
	"sync"
)

// Objects that stay with the code have fields that the tests can see. They are copied with each call: to the code those
// that a test has changed, and to the tests all of them, unless another call may change them at that time.

// calls are the functions of this process that the other one has requested and that have not ended.
var calls sync.RWMutex

// copying keeps one value from being copied while another one is.
var copying sync.Mutex

func exclusively(copy func()) {
	copying.Lock()
	defer copying.Unlock()
	copy()
}

// received are the fields of an object as their bytes.
type received struct {
	version uint64
	prints  []string
}

// handleOf is the number of the object that a value stands for, or of a copy that is made of it.
func handleOf(value reflect.Value) uint64 {
	if isJudge {
		return handleIn(value).id
	}
	copied := reflect.New(value.Type())
	copied.Elem().Set(value)
	return table.idOfPointer(copied)
}

func (e *encoder) handled(value reflect.Value, info *TypeInfo, id uint64) {
	fields := fieldsOf(value, info)
	if isJudge {
		known := table.received(id).prints
		for at, field := range fields {
			if known != nil && known[at] == printOf(field) {
				e.byte(0)
				continue
			}
			e.byte(1)
			e.value(field)
		}
		return
	}
	isSent, version := table.send(id)
	e.unsigned(version)
	for _, field := range fields {
		if isSent && !e.isQuiet {
			e.byte(0)
			continue
		}
		e.byte(1)
		e.value(field)
	}
}

func (d *decoder) handled(into reflect.Value, info *TypeInfo, id uint64) {
	isCurrent, hasFields := true, false
	var version uint64
	if isJudge {
		version = d.unsigned()
		isCurrent = version > table.received(id).version
	}
	fields := fieldsOf(into, info)
	for _, field := range fields {
		if d.byte() == 0 {
			continue
		}
		hasFields = true
		if !isCurrent {
			field = reflect.New(field.Type()).Elem()
		}
		d.value(field)
	}
	if isJudge && isCurrent && hasFields {
		table.receive(id, version, fields)
	}
}

func printOf(field reflect.Value) string {
	encoder := newEncoder()
	encoder.isPrint = true
	encoder.value(field)
	return string(encoder.bytes)
}

func (o *objects) received(id uint64) received {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.fields[id]
}

func (o *objects) receive(id, version uint64, fields []reflect.Value) {
	prints := make([]string, len(fields))
	for at, field := range fields {
		prints[at] = printOf(field)
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	o.fields[id] = received{version, prints}
}

func (o *objects) send(id uint64) (isSent bool, version uint64) {
	o.lock.Lock()
	defer o.lock.Unlock()
	isSent = o.sent[id]
	o.sent[id] = true
	o.version++
	return isSent, o.version
}
