package disk

import (
	"os"
	"time"
)

// Stamp tells one content of a file, or of a folder's list, from the next. That
// of what is not there is zero.
type Stamp struct {
	modified time.Time
	size     int64
	isRecent bool // it was taken so soon that the next content may have the same
}

// How long a file system may give the same time to two contents: most count in
// ticks of the kernel, some in whole seconds, of which they take two at a time.
const (
	fineResolution   = 50 * time.Millisecond
	coarseResolution = 2500 * time.Millisecond
)

// StampOf is the stamp of what is at a path now. Take it before reading.
func StampOf(path string) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	return stampAt(info, time.Now())
}

func stampAt(info os.FileInfo, now time.Time) Stamp {
	modified := info.ModTime()
	settled := fineResolution
	if modified.Nanosecond() == 0 {
		settled = coarseResolution
	}
	return Stamp{modified, info.Size(), now.Sub(modified).Abs() < settled}
}

// IsUnchanged reports whether what had this stamp is the same now that it has another
// one. In doubt it is not.
func (s Stamp) IsUnchanged(now Stamp) bool {
	return !s.isRecent && s.modified.Equal(now.modified) && s.size == now.size
}
