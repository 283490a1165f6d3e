package disk

import (
	"os"
	"time"
)

// Stamp tells one content of a file or of a folder from the next, by its time and size.
// The stamp of a missing file is zero.
type Stamp struct {
	modified time.Time
	size     int64
	isRecent bool // it was taken so soon that the next content may have the same
}

// The time in which a file system may give the same time to two contents: most count
// in ticks of the kernel, some in steps of two seconds.
const (
	fineResolution   = 50 * time.Millisecond
	coarseResolution = 2500 * time.Millisecond
)

// StampOf returns the stamp of the file or folder at a path. Take it before reading.
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

// IsUnchanged reports whether the content with the stamp s is certainly still the same, if
// the stamp is now the parameter now. It is false if s was taken so soon after a change
// that a later one may have the same time.
func (s Stamp) IsUnchanged(now Stamp) bool {
	return !s.isRecent && s.modified.Equal(now.modified) && s.size == now.size
}
