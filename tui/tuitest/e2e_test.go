//go:build unix

package tuitest

import (
	"testing"
)

func TestMain(m *testing.M) { testProgram(m) }
