package agentclashpeer

import (
	"encoding/json"
	"os"
	"sync"
	"syscall"
)

const (
	prSetDumpable = 4
	endedCode     = 3
)

var control *os.File
var reporting sync.Mutex

// The memory of this process is hidden before code under test runs.
func init() {
	descriptors := givenDescriptors()
	control = os.NewFile(descriptors[0], "control")
	if _, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, prSetDumpable, 0, 0); failed != 0 {
		os.Exit(endedCode)
	}
	isJudge = true
	write(map[string]any{"isReady": true})
	var settings struct {
		Name            string
		TrustsArguments bool
	}
	if err := json.NewDecoder(control).Decode(&settings); err != nil {
		os.Exit(endedCode)
	}
	trustsArguments = settings.TrustsArguments
	os.Args = []string{os.Args[0], "-test.run=^" + settings.Name + "$", "-test.timeout=0"}
	var noted sync.Once
	noteChange = func() { noted.Do(func() { write(map[string]any{"hasChanged": true}) }) }
	connect(descriptors[1], func(reason string) {
		write(map[string]any{"ended": reason})
		os.Exit(endedCode)
	})
}

// Report is called when a test, all of its subtests and its own cleanup have ended.
func Report(name string, isComplete, hasFailed, isSkipped bool) {
	outcome := "failed"
	if isSkipped && !hasFailed {
		outcome = "skipped"
	} else if isComplete && !hasFailed {
		outcome = "passed"
	}
	write(map[string]any{"name": name, "outcome": outcome})
}

func write(message map[string]any) {
	reporting.Lock()
	defer reporting.Unlock()
	line, _ := json.Marshal(message)
	_, _ = control.Write(append(line, '\n'))
}
