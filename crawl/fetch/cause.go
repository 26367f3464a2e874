package fetch

import (
	"errors"
	"fmt"
)

// Cause returns the cause of a fetch error without the URL, for displays that show the URL already.
func Cause(err error) string {
	var fe *Error
	if errors.As(err, &fe) && fe.Err != nil {
		return fmt.Sprintf("%s: %v", fe.Kind, fe.Err)
	}
	if fe != nil {
		return string(fe.Kind)
	}
	return err.Error()
}
