package executor

import (
	"context"
	"fmt"
	"path/filepath"
)

// locateError prefixes the message of an error of [KindDefinition] with the file and
// line of the tool. Errors of the project file name their own place.
func locateError(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	if err == nil || r.req.Tool == nil || r.req.Tool.Origin.File == "" {
		return result, err
	}
	e := *asError(err)
	if at := r.req.Tool.Origin; e.Kind == KindDefinition && e.Code != "project-file" {
		e.Message = fmt.Sprintf("%s:%d: %s", filepath.Base(at.File), at.Line, e.Message)
	}
	return result, &e
}
