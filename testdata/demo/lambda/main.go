// Command lambda is the function document-processor of the demo, made with the
// library of AWS: it runs there as it does here.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/aws-lambda-go/lambda"
)

type request struct {
	URL    string `json:"document_url"`
	Format string `json:"format"`
}

type response struct {
	Text  string `json:"text"`
	Pages int    `json:"pages"`
}

func main() { lambda.Start(process) }

// process reads a document that lies beside abl.yaml. A form feed begins a page.
func process(_ context.Context, r request) (*response, error) {
	if r.Format != "text" {
		return nil, fmt.Errorf("documents of the format %q cannot be read", r.Format)
	}
	name := filepath.Base(r.URL)
	fmt.Println("reading", name)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	pages := strings.Split(string(data), "\f")
	return &response{Text: strings.TrimSpace(pages[0]), Pages: len(pages)}, nil
}
