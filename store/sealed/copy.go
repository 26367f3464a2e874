package sealed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrBusy means that a database was written to so quickly that no copy of one moment
// could be made.
var ErrBusy = errors.New("it is written to all the time")

// mostCopies are tried until one is of one moment.
const mostCopies = 6

// CopyBeside copies the database at path to a new file while another process may
// write it, without its locks. A commit writes only pages that the one before does not
// use, and last its meta page. So what was copied is the database of one moment if the
// meta page in force is the same before and after; else it is copied again.
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

// newest reads the meta page in force; that of a commit under way does not hold yet.
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

// patient is a reader that a context ends.
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
