//go:build !linux

package jail

import (
	"context"
	"fmt"
	"runtime"
)

func start(_ context.Context, e Engine, _ string, _ Program) (Process, error) {
	return nil, fmt.Errorf("%s needs Linux, and this is %s: it %w", e, runtime.GOOS, ErrNotHere)
}
