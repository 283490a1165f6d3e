import { readFileSync } from "node:fs";

export function count_words({ text }) {
  const words = text.split(/\s+/).filter((word) => word !== "");
  console.log(`looking at ${words.length} words`);
  return { words: words.length, longest: words.reduce((a, b) => (b.length > a.length ? b : a), "") };
}

export const readPasswords = () => readFileSync("/etc/passwd", "utf8");
