package dial

import "fmt"

// Reason says why something was refused.
type Reason string

// The reasons. The person may allow a Private host, but none of the others.
const (
	Private  Reason = "private-address"
	Metadata Reason = "metadata-address"
	URL      Reason = "unsafe-url"
)

// RefusedError is the error for a host that must not be reached. Nothing was sent to
// it.
type RefusedError struct {
	Host   string // as written, with its port unless that is a default one
	Reason Reason
	Detail string // "10.0.0.1 is not a public address"
}

func (r *RefusedError) Error() string {
	if r.Host == "" {
		return "refused: " + r.Detail
	}
	return fmt.Sprintf("%s is refused: %s", r.Host, r.Detail)
}

// Hint says what the person can do. It is "" if nothing helps.
func (r *RefusedError) Hint() string {
	if r.Reason != Private {
		return ""
	}
	return fmt.Sprintf("If this host is meant, allow it with --allow-host %s (in an editor: allowHosts).", r.Host)
}

func refusedURL(host, detail string) error {
	return &RefusedError{Host: host, Reason: URL, Detail: detail}
}
