package jobs

import "context"

// Within runs work and returns its result, or the error of ctx as soon as ctx ends. Work that outlives ctx runs to
// its end and its result is dropped. Within does not start work under an ended context. It panics in the caller if
// work panics while the caller still waits.
func Within[T any](ctx context.Context, work func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	type outcome struct {
		v        T
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.v, o.err = work()
	}()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.v, o.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
