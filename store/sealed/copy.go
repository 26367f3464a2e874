package sealed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrBusy means that commits followed so fast that no consistent copy could be made.
var ErrBusy = errors.New("it is written to all the time")

// mostCopies bounds the attempts to make a consistent copy.
const mostCopies = 6

// CopyBeside copies the database at path to a new file while another process may write it, without
// its locks. A commit writes only pages that the previous state does not use, and its meta page
// last. So the copy is consistent if the meta page in force is the same before and after; otherwise
// it is made again.
func CopyBeside(ctx context.Context, path string, to *os.File) error {
	x, err := openFile(path)
	if err != nil {
		return err
	}
	defer x.Close()
	for range mostCopies {
		before, err := x.newest()
		if err != nil {
			return err
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := to.Truncate(0); err != nil {
			return err
		}
		size := int64(before.high) * x.page
		n, err := io.Copy(to, &patient{ctx, io.NewSectionReader(x.f, 0, size)})
		if err != nil {
			return err
		}
		after, err := x.newest()
		if err != nil {
			return err
		}
		if after.tx == before.tx && n == size {
			return nil
		}
	}
	return ErrBusy
}

// newest reads the meta page in force; that of an open commit is not valid yet.
func (x *file) newest() (meta, error) {
	st, err := x.f.(*os.File).Stat()
	if err != nil {
		return meta{}, err
	}
	x.size = st.Size()
	if err := x.readMeta(); err != nil {
		return meta{}, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return x.meta, nil
}

// patient is a reader that ends with a context.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}
