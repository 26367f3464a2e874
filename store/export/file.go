package export

import (
	"bufio"
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"angler/store/modes"
)

// WriteFile has write fill a file, which appears under its name when it is whole:
// what fails or is cancelled leaves nothing behind and the old file as it was.
// One that exists is only replaced if replace says so, else the error is
// fs.ErrExist; folders and devices never are. A new file is for whom the user's
// mask says, a replaced one keeps its mode.
func WriteFile(path string, replace bool, write func(io.Writer) error) error {
	var mode fs.FileMode // of the file that is there; 0 = none is
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	temporary := func(folder string) (*os.File, error) {
		return os.OpenFile(filepath.Join(folder, ".angler-export-"+rand.Text()), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	}
	return modes.Whole(path, replace, temporary, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<16)
		err := write(w)
		if err == nil {
			err = w.Flush()
		}
		if err == nil && mode != 0 {
			err = f.Chmod(mode)
		}
		return err
	})
}
