//go:build !linux

package jail

import (
	"context"
	"fmt"
	"runtime"
)

func run(_ context.Context, e Engine, _ string, _ Program) error {
	return fmt.Errorf("%s needs Linux, and this is %s: it %w", e, runtime.GOOS, ErrNotHere)
}
