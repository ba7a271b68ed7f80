/**
 * Returns a one-line summary of an operation: the first clause of its description, up to a bracket, semicolon or colon.
 */
export function summaryOf(description: string): string {
  const [paragraph = ''] = description.split(/\n\s*\n/, 1);
  const [clause = ''] = paragraph.replace(/\s+/g, ' ').split(/[.;:](?=\s|$)/, 1);
  // A clause that ends inside brackets is cut there.
  return clause.replace(/\s*\([^)]*$/, '').trim();
}
