package fetch

import (
	"fmt"
	"os"
)

// ReadFile reads a local file of at most limit bytes. The error says what to pass instead.
func ReadFile(path string, limit int) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s; give an address with http:// or a file", path)
	}
	if st.IsDir() || st.Size() > int64(limit) {
		return nil, fmt.Errorf("%s is a folder or longer than %d MB", path, limit>>20)
	}
	return os.ReadFile(path)
}
