package main

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// figures are the figures of one program, by their names in the history.
type figures map[string]float64

func (f figures) setTime(name string, took time.Duration) {
	f[name] = roundFigure(float64(took) / float64(time.Millisecond))
}

func (f figures) setMemory(name string, bytes int64) {
	f[name] = roundFigure(float64(bytes) / (1 << 20))
}

// setUsage sets the figures of a process: its time in ms, the time of all processors, and
// its memory in MiB.
func (f figures) setUsage(name string, u usage) {
	f.setTime(name+"_ms", u.wall)
	f.setTime(name+"_cpu_ms", u.cpu)
	f.setMemory(name+"_mib", u.peak)
}

// roundFigure rounds to three digits.
func roundFigure(value float64) float64 {
	if value == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(value)))-2)
	if unit >= 1 {
		return math.Round(value/unit) * unit
	}
	return math.Round(value/unit) / math.Round(1/unit)
}

// quantile returns the least value that is not exceeded by the given part of the values.
func quantile[T cmp.Ordered](values []T, part float64) T {
	sorted := slices.Sorted(slices.Values(values))
	k := int(math.Ceil(part*float64(len(sorted)))) - 1
	return sorted[max(k, 0)]
}
