package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  argumentCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if format == "text" {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "abl-lsp", version)
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{
				"version": version,
				"go":      runtime.Version(),
				"os":      runtime.GOOS,
				"arch":    runtime.GOARCH,
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `FORMAT` of the output: text or json")
	return cmd
}
