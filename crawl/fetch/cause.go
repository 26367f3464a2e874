package fetch

import (
	"errors"
	"fmt"
)

// Cause returns the cause of a fetch error without the URL, for displays that show the URL already.
func Cause(err error) string {
	fe, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return err.Error()
	case fe.Err == nil:
		return string(fe.Kind)
	}
	return fmt.Sprintf("%s: %v", fe.Kind, fe.Err)
}
