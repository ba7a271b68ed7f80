import { countChanges, type Report, type ReportedChange, summarize } from './Report.ts';

/**
 * Maximum number of listed changes of a severity, because a comment of a pull request has at most 65,536 characters.
 */
const maxRows = 50;

/** Returns the report as Markdown, for a comment on a pull request. Safe changes are collapsed. */
export function formatMarkdown(report: Report): string {
  const { breaking } = countChanges(report);
  const of = (severity: string, isAccepted: boolean) =>
    report.changes.filter(
      (change) => change.severity === severity && (change.accepted !== null) === isAccepted,
    );
  const safe = table('Safe', of('safe', false));
  return [
    `### ${breaking > 0 ? 'The contract breaks' : 'The contract holds'}`,
    `${summarize(report)}.`,
    table('Breaking', of('breaking', false)),
    table('Accepted', of('breaking', true)),
    table('Dangerous', of('dangerous', false)),
    safe && `<details><summary>Safe changes</summary>\n\n${safe}\n\n</details>`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function table(heading: string, changes: readonly ReportedChange[]): string {
  if (changes.length === 0) return '';
  const rows = changes.slice(0, maxRows).map(({ id, message, accepted, place, help }) => {
    const reason = accepted === null ? '' : ` Accepted: ${accepted}`;
    const name = `\`${escapeCell(id)}\``;
    // A comment cannot link to the file of a package.
    const change = help.startsWith('https:') ? `[${name}](${help})` : name;
    return `| ${change} | ${escapeCell(`${place.file}:${place.line}`)} | ${escapeCell(message + reason)} |`;
  });
  const left = changes.length - rows.length;
  return [
    `**${heading} (${changes.length})**`,
    '',
    '| Change | Place | Meaning |',
    '|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `${left} more are in the output of the check.`] : []),
  ].join('\n');
}

function escapeCell(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
