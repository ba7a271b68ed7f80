import type { DeprecatedPart } from './DeprecatedPart.ts';

/** Returns a Markdown table of deprecated parts. */
export function deprecationTable(parts: readonly DeprecatedPart[]): string {
  if (parts.length === 0) return 'Nothing is deprecated.';
  return [
    '| Member | Reason | Deprecated on | Removed after |',
    '|---|---|---|---|',
    ...parts.map(({ name, reason, since, until }) => `| \`${name}\` | ${reason} | ${since} | ${until} |`),
  ].join('\n');
}
