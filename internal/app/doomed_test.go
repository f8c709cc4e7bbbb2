package app

import (
	"os"
	"os/exec"
)

const doomed = "KONTOR_TEST_DOOMED"

// Doomed is another process that runs one test, for its test to kill.
func Doomed(test string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(append(os.Environ(), doomed+"=1"), env...)
	return cmd
}

// IsDoomed reports whether this process will be killed: it sets up nothing that it would leave behind.
func IsDoomed() bool { return os.Getenv(doomed) != "" }
