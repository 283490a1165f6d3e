package redistest

import (
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestServers(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *Server{"plain": Start, "TLS": StartTLS} {
		t.Run(name, func(t *testing.T) {
			s, other := start(t), start(t)
			client := s.Client(t)
			if err := client.Set(t.Context(), "k", "v", 0).Err(); err != nil {
				t.Fatal(err)
			}
			if got, err := client.Get(t.Context(), "k").Result(); err != nil || got != "v" {
				t.Errorf("%q, %v", got, err)
			}
			if got, err := other.Client(t).Get(t.Context(), "k").Result(); !errors.Is(err, redis.Nil) {
				t.Errorf("two servers share a key: %q, %v", got, err)
			}
			s.Stop()
			s.Stop()
			if err := client.Ping(t.Context()).Err(); err == nil {
				t.Error("it answers after its end")
			}
		})
	}
}

// TestURL reads the address as a client of the server does.
func TestURL(t *testing.T) {
	s := Start(t)
	options, err := redis.ParseURL(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	options.Password = "other"
	stranger := redis.NewClient(options)
	defer stranger.Close()
	if err := stranger.Ping(t.Context()).Err(); err == nil {
		t.Error("it accepts another password")
	}
	if options, err := redis.ParseURL(StartTLS(t).URL()); err != nil || options.TLSConfig == nil {
		t.Errorf("%v, %v", options, err)
	}
}
