package redis

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

// A process that is alive renews its lease every beat.
const (
	lease = 10 * time.Second
	beat  = 2 * time.Second
)

// presence shows other processes that this one is alive.
type presence struct {
	store *Store
	entry string
	owner string // tells this presence from others of the same name
	once  sync.Once
	ended chan struct{}
	beats sync.WaitGroup
}

func (p *presence) announce(ctx context.Context) error {
	p.owner = rand.Text()
	isMine := false
	err := p.store.do(ctx, valueTimeout, func(ctx context.Context) (err error) {
		isMine, err = p.renew(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if !isMine {
		return errNameInUse
	}
	p.beats.Go(p.keep)
	return nil
}

func (p *presence) renew(ctx context.Context) (isMine bool, err error) {
	return p.store.scripts.renew.Run(ctx, p.store.client, []string{p.entry}, p.owner, lease.Milliseconds()).Bool()
}

// keep renews the lease until the presence ends.
func (p *presence) keep() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-p.ended
		cancel()
	}()
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		// A lease that cannot be renewed at the moment is renewed as soon as Redis can be reached again.
		_ = p.store.do(ctx, valueTimeout, func(ctx context.Context) error {
			_, err := p.renew(ctx)
			return err
		})
	}
}

func (p *presence) leave() {
	p.once.Do(func() {
		close(p.ended)
		p.beats.Wait()
		_ = p.store.do(context.Background(), valueTimeout, func(ctx context.Context) error { // else the lease ends
			return p.store.scripts.leave.Run(ctx, p.store.client, []string{p.entry}, p.owner).Err()
		})
	})
}
