//go:build unix

// Package faults kills the built program, damages its files and fills its disk.
package faults

import (
	"testing"

	"angler/tui/e2e/program"
)

func TestMain(m *testing.M) { program.Test(m) }
