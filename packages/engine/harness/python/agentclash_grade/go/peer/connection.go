package agentclashpeer

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const messageBytesMax = 16 << 20

// The kinds of messages: a number of the request follows, and what the kind needs.
const (
	requestKind = 'C'
	resultKind  = 'R'
	panicKind   = 'P'
)

// The targets of a request.
const (
	functionTarget = 'f'
	objectTarget   = 'o'
	methodTarget   = 'i'
	variableTarget = 'v'
	errorTarget    = 'e'
)

type wireError string

func (e wireError) Error() string { return string(e) }

// Remote is an object of the other process.
type Remote struct{ id uint64 }

// RemoteHolder is an adaptor of an interface.
type RemoteHolder interface{ AgentclashRemote() *Remote }

var link struct {
	file    *os.File
	write   sync.Mutex
	lock    sync.Mutex
	pending map[uint64]chan []byte
	next    uint64
	// end is called when the connection is of no more use.
	end func(reason string)
}

// givenDescriptors are those that the process was started with; its own programs do not get them.
func givenDescriptors() (descriptors []uintptr) {
	const name = "AGENTCLASH_DESCRIPTORS"
	for _, text := range strings.Fields(os.Getenv(name)) {
		number, err := strconv.Atoi(text)
		if err != nil {
			panic(err)
		}
		syscall.CloseOnExec(number)
		descriptors = append(descriptors, uintptr(number))
	}
	_ = os.Unsetenv(name)
	return descriptors
}

func connect(descriptor uintptr, end func(string)) {
	link.file, link.end = os.NewFile(descriptor, "peer"), end
	link.pending = map[uint64]chan []byte{}
	go receive()
}

func send(message []byte) {
	if len(message) > messageBytesMax {
		panic(wireError("agentclash-grade: the value is too large"))
	}
	framed := binary.BigEndian.AppendUint32(nil, uint32(len(message)))
	link.write.Lock()
	defer link.write.Unlock()
	if _, err := link.file.Write(append(framed, message...)); err != nil {
		link.end("the process of the code under test has ended")
	}
}

// receive serves requests, each at once, and hands over results.
func receive() {
	for {
		var head [4]byte
		if _, err := io.ReadFull(link.file, head[:]); err != nil {
			link.end("the process of the code under test has ended")
		}
		length := binary.BigEndian.Uint32(head[:])
		if length == 0 || length > messageBytesMax {
			link.end("a message is too large")
		}
		message := make([]byte, length)
		if _, err := io.ReadFull(link.file, message); err != nil {
			link.end("the process of the code under test has ended")
		}
		number, size := binary.Uvarint(message[1:])
		if size <= 0 {
			link.end("the code under test did not keep to the protocol")
		}
		switch body := message[1+size:]; message[0] {
		case requestKind:
			go serve(number, body)
		default:
			link.lock.Lock()
			waiting, found := link.pending[number]
			delete(link.pending, number)
			link.lock.Unlock()
			if !found {
				link.end("the code under test did not keep to the protocol")
			}
			waiting <- append([]byte{message[0]}, body...)
		}
	}
}

// exchange sends a request, and waits for what it results in.
func exchange(encode func(*encoder)) (byte, *decoder) {
	waiting := make(chan []byte, 1)
	link.lock.Lock()
	link.next++
	number := link.next
	link.pending[number] = waiting
	link.lock.Unlock()
	request := newEncoder()
	request.isQuiet = true
	request.bytes = binary.AppendUvarint([]byte{requestKind}, number)
	exclusively(func() { encode(request) })
	send(request.bytes)
	reply := <-waiting
	return reply[0], &decoder{bytes: reply[1:], refs: request.refs, own: request.own}
}

// Call requests a function of the code: pointers to its arguments and to variables for its results.
func Call(name string, arguments, results []any) {
	call(func(e *encoder) { e.byte(functionTarget); e.text(name) }, pointed(arguments), pointed(results), false)
}

// Call requests a method of the object. `restores`: what it does to slices is done to those of the caller.
func (r *Remote) Call(method string, restores bool, arguments, results []any) {
	target := func(e *encoder) { e.byte(methodTarget); e.unsigned(r.id); e.text(method) }
	call(target, pointed(arguments), pointed(results), restores)
}

func pointed(pointers []any) []reflect.Value {
	values := make([]reflect.Value, len(pointers))
	for at, pointer := range pointers {
		values[at] = reflect.ValueOf(pointer).Elem()
	}
	return values
}

func call(target func(*encoder), arguments, results []reflect.Value, restores bool) {
	kind, reply := exchange(func(e *encoder) {
		target(e)
		for _, argument := range arguments {
			e.value(argument)
		}
	})
	var raised any
	isPanic := kind == panicKind
	decoded(func() {
		copying.Lock()
		defer copying.Unlock()
		reply.restore(restores || trustsArguments || !isJudge)
		if isPanic {
			raised = reply.raised()
			return
		}
		for _, result := range results {
			reply.value(result)
		}
		reply.end()
	})
	if isPanic {
		panic(raised)
	}
}

// decoded ends the process when what was received is no value: no test may take that for a panic of the code.
func decoded(decode func()) {
	defer func() {
		if recover() != nil {
			link.end("the code under test did not keep to the protocol")
		}
	}()
	decode()
}

// Variable is the value of one of the code, as it is when the tests start.
func Variable[T any](_ bool, name string) T {
	var value T
	target := func(e *encoder) { e.byte(variableTarget); e.text(name) }
	call(target, nil, []reflect.Value{reflect.ValueOf(&value).Elem()}, false)
	return value
}

func serve(number uint64, body []byte) {
	request := &decoder{bytes: body}
	var function reflect.Value
	var arguments []reflect.Value
	decoded(func() {
		copying.Lock()
		defer copying.Unlock()
		function = request.target()
		for at := 0; at < function.Type().NumIn(); at++ {
			argument := reflect.New(function.Type().In(at)).Elem()
			request.value(argument)
			arguments = append(arguments, argument)
		}
		request.end()
	})
	isReplied := false
	defer func() {
		// The result has no form, or the goroutine was ended.
		if recovered := recover(); !isReplied {
			reason := "the goroutine of the call has ended"
			if recovered != nil {
				reason = fmt.Sprint(recovered)
			}
			send(resultOf(number, &decoder{}, func(e *encoder) { e.raised(reason) }, panicKind))
		}
	}()
	results, raised, isPanic := perform(function, arguments)
	reply := resultOf(number, request, func(e *encoder) {
		if isPanic {
			e.raised(raised)
			return
		}
		for _, result := range results {
			e.value(result)
		}
	}, map[bool]byte{true: panicKind, false: resultKind}[isPanic])
	isReplied = true
	send(reply)
}

func resultOf(number uint64, request *decoder, encode func(*encoder), kind byte) []byte {
	reply := newEncoder()
	reply.bytes = binary.AppendUvarint([]byte{kind}, number)
	if calls.TryLock() {
		defer calls.Unlock()
		reply.isQuiet = true
	}
	exclusively(func() {
		reply.restore(request.refs)
		encode(reply)
	})
	return reply.bytes
}

func perform(function reflect.Value, arguments []reflect.Value) (results []reflect.Value, raised any, isPanic bool) {
	isPanic = true
	calls.RLock()
	defer calls.RUnlock()
	defer func() {
		if isPanic {
			if raised = recover(); raised == nil {
				isPanic = false
				panic("the goroutine of the call has ended")
			}
		}
	}()
	if function.Type().IsVariadic() {
		results = function.CallSlice(arguments)
	} else {
		results = function.Call(arguments)
	}
	isPanic = false
	return results, nil, false
}

func (d *decoder) target() reflect.Value {
	switch kind := d.byte(); kind {
	case functionTarget:
		if function, found := functions[d.text()]; found {
			return function
		}
	case objectTarget:
		if function := table.find(d.unsigned()); function.Kind() == reflect.Func {
			return function
		}
	case methodTarget:
		object := table.find(d.unsigned())
		if method := object.MethodByName(d.text()); method.IsValid() {
			return method
		}
	case variableTarget:
		if variable, found := variables[d.text()]; found {
			kind := reflect.FuncOf(nil, []reflect.Type{variable.Type()}, false)
			return reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value { return []reflect.Value{variable} })
		}
	case errorTarget:
		if variable, found := ownErrors[d.text()]; found {
			return reflect.ValueOf(func() (bool, string) {
				if *variable == nil {
					return false, ""
				}
				return true, (*variable).Error()
			})
		}
	}
	panic(wireError("there is no such target"))
}
