package devstack

import (
	"os/exec"
	"runtime"
	"sync"
)

// spawn starts cmd from a thread that lives as long as this program. PR_SET_PDEATHSIG fires when the *thread* that
// forked ends, not the process (prctl(2)), and the Go runtime ends threads when it likes: without this, a child could
// be killed in the middle of a run.
func spawn(cmd *exec.Cmd) error {
	answer := make(chan error, 1)
	spawner() <- spawnRequest{cmd, answer}
	return <-answer
}

type spawnRequest struct {
	cmd    *exec.Cmd
	answer chan<- error
}

var spawner = sync.OnceValue(func() chan<- spawnRequest {
	requests := make(chan spawnRequest)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread stays
		for r := range requests {
			r.answer <- r.cmd.Start()
		}
	}()
	return requests
})
