package report

import (
	"encoding/json"
	"io"
)

// JSON writes each row as a line of JSON.
func JSON[T any](w io.Writer, rows ...T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, row := range rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
