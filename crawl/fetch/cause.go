package fetch

import (
	"errors"
	"fmt"
)

// Cause is the cause of a fetch error without the URL, which stands beside
// it wherever it is shown.
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
