//go:build unix

// Package e2e drives the built program as its users do: on the command line, in a real terminal
// and over SSH.
package e2e

import (
	"testing"

	"angler/tui/e2e/program"
)

func TestMain(m *testing.M) { program.Test(m) }
