package jobs

import "context"

// Within returns what work returns, or the error of ctx as soon as that ends: work
// that cannot be broken off then goes on to its end, and its result is dropped.
// Work is not begun under a context that has ended. A panic in it is the caller's,
// as if the caller had done the work, unless the caller waits no more.
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
