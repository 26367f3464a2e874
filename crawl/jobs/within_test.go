package jobs

import (
	"context"
	"errors"
	"testing"
)

func TestWithin(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if v, err := Within(ctx, func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	odd := errors.New("odd")
	if _, err := Within(ctx, func() (int, error) { return 0, odd }); !errors.Is(err, odd) {
		t.Errorf("work failed with %v", err)
	}
	func() {
		defer func() {
			if p := recover(); p != "torn" {
				t.Errorf("the caller got the panic %v", p)
			}
		}()
		_, _ = Within(ctx, func() (int, error) { panic("torn") })
	}()
	release := make(chan struct{})
	if _, err := Within(ctx, func() (int, error) { cancel(); <-release; return 0, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	close(release)
	if _, err := Within(ctx, func() (int, error) { t.Error("work began under an ended context"); return 0, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
}
