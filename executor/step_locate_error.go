package executor

import (
	"context"
	"fmt"
	"path/filepath"
)

// locateError adds the file and line of the tool to the message of an error of
// [KindDefinition]. Errors about the project file already name their place.
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
