/** Returns the beginning of a description as plain text, for summaries. */
export function summarize(description: string): string {
  const words = description
    .replace(/^#+.*$/gm, ' ')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= 160 ? words : `${words.slice(0, 159).replace(/\s\S*$/, '')}…`;
}
