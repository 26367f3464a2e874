package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"angler/store/modes"
)

// holder is a file beside the database. It tells a second process which process holds the
// workspace, and how to join it.
type holder struct {
	PID    int       `json:"pid"`
	Since  time.Time `json:"since"`
	Listen string    `json:"listen,omitempty"` // HOST:PORT where it serves the workbench
}

func writeHolder(dir string, h holder) {
	h.PID, h.Since = os.Getpid(), time.Now()
	b, err := json.Marshal(h)
	if err == nil {
		// Errors are ignored: without the file a second process only reports less.
		_ = os.WriteFile(filepath.Join(dir, holderFile), b, modes.File)
	}
}

func readHolder(dir string) (h holder, ok bool) {
	b, err := os.ReadFile(filepath.Join(dir, holderFile))
	return h, err == nil && json.Unmarshal(b, &h) == nil && h.PID != 0
}

// holderMessage tells which process holds the workspace and what to do.
func holderMessage(dir string) string {
	h, ok := readHolder(dir)
	switch who := fmt.Sprintf("process %d since %s", h.PID, h.Since.Local().Format("2006-01-02 15:04")); {
	case !ok:
		return "another process; close it there first"
	case h.Listen != "":
		return fmt.Sprintf("%s, which serves it on %s; join it with: angler attach %s", who, h.Listen, dir)
	default:
		return who + "; close it there first"
	}
}

// Announce tells other processes where this one serves the workbench of the
// workspace.
func (w *Workspace) Announce(listen string) { writeHolder(w.dir, holder{Listen: listen}) }

// Held reports whether a process has the workspace in dir open, or ended without closing it.
func Held(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, holderFile))
	return err == nil
}

// Written returns when the database of the workspace in dir was last written.
func Written(dir string) (time.Time, error) {
	st, err := os.Stat(filepath.Join(dir, databaseFile))
	if err != nil {
		return time.Time{}, err
	}
	return st.ModTime(), nil
}

// Served returns the address (HOST:PORT) at which a running process serves the workbench of the
// workspace in dir, or "".
func Served(dir string) string {
	h, _ := readHolder(dir)
	return h.Listen
}
