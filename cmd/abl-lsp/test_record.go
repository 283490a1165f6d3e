package main

import (
	"context"
	"errors"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// recordExpectation makes the result of a run what the case expects from now on.
func (r *testResult) recordExpectation(ctx context.Context, tested invoke.CaseResult) {
	expect, err := invoke.Expectation(ctx, tested.Args, *tested.Result)
	if err != nil {
		r.status, r.message = statusFail, err.Error()
		return
	}
	r.status, r.message, r.expect = statusPass, "recorded", &expect
}

// recordAll writes the results of runs into the files of cases. The result of a case that
// cannot be written becomes a failure.
func recordAll(w model.Workspace, sources []source, results []testResult) {
	for _, s := range sources {
		expect, of := map[int]refactor.NewExpect{}, map[int]*testResult{}
		for i := range results {
			if r := &results[i]; r.in.path == s.path && r.expect != nil {
				expect[r.index], of[r.index] = *r.expect, r
			}
		}
		if len(expect) == 0 {
			continue
		}
		for i, err := range recordFile(w, s.path, expect) {
			of[i].status, of[i].message = statusFail, "not recorded: "+err.Error()
		}
	}
}

// recordFile writes new expectations into the file of cases at path; expect has them by
// the index of their case. errs has an error for each case that could not be written.
func recordFile(w model.Workspace, path string, expect map[int]refactor.NewExpect) (errs map[int]error) {
	after, errs := refactor.RecordCases(w, path, expect)
	now, _ := disk.Read(path)
	var err error
	if now != w.File(path).Doc.Text() {
		err = errors.New("the file was changed meanwhile")
	} else if len(errs) < len(expect) {
		err = replaceFile(path, after)
	}
	if err != nil {
		for i := range expect {
			errs[i] = err
		}
	}
	return errs
}
