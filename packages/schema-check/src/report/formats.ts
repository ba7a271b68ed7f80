import { formatGithub } from './formatGithub.ts';
import { formatJson } from './formatJson.ts';
import { formatJunit } from './formatJunit.ts';
import { formatMarkdown } from './formatMarkdown.ts';
import { formatSarif } from './formatSarif.ts';
import { formatTable } from './formatTable.ts';
import type { Report } from './Report.ts';

/** Output formats of a report, by the name of the option. */
export const formats = {
  table: { print: formatTable, about: 'a table for people' },
  json: { print: formatJson, about: 'JSON for programs' },
  github: { print: formatGithub, about: 'annotations of a pull request on GitHub' },
  sarif: { print: formatSarif, about: 'SARIF 2.1.0 for code scanning' },
  junit: { print: formatJunit, about: 'JUnit XML for CI servers' },
  markdown: { print: formatMarkdown, about: 'Markdown for a comment on a pull request' },
} as const satisfies Record<string, { print(report: Report): string; about: string }>;

/** Name of a format. */
export type Format = keyof typeof formats;

/** Returns whether a text names a format. */
export function isFormat(text: string): text is Format {
  return Object.hasOwn(formats, text);
}
