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

// WriteFile writes a file that appears only when write has completed it. After an error or a cancel
// nothing new is left and the old file is unchanged. An existing file is replaced only with
// replace, otherwise the error is fs.ErrExist; folders and devices never are. A new file gets its
// mode from the user's mask, a replaced one keeps its mode.
func WriteFile(path string, replace bool, write func(io.Writer) error) error {
	var mode fs.FileMode // mode of the existing file; 0: there is none
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
