// Durations, sizes and times as people read them.

/** Returns a duration with its unit: 2.5 ms, 340 ms, 14.7 s, 2 min 5 s. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) {
    return `${ms < 9.95 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  }
  if (ms < 59_950) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a number of bytes with its unit: 17 B, 14.2 kB, 3.0 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return `${bytes} B`;
  }
  const [amount, unit] = bytes < 999_950 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toFixed(1)} ${unit}`;
}

/** Returns the time of day of a time in RFC 3339, in the person's time zone; a text that is no time stays. */
export function formatTime(written: string): string {
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? written : time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });
}

/** Returns the date and time of a time in RFC 3339, in the person's time zone and form; a text that is no time stays. */
export function formatDate(written: string): string {
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? written : time.toLocaleString();
}
