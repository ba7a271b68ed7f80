import { isAcceptable } from '../acceptedChanges.ts';
import { type Report, type ReportedChange, summarize } from './Report.ts';

/** Returns the report as text: one block for each severity in descending order, and the next steps. */
export function formatTable(report: Report): string {
  const breaking = report.changes.filter(isRefused);
  const blocks = [
    block('BREAKING', breaking),
    block(
      'ACCEPTED',
      report.changes.filter(({ accepted }) => accepted !== null),
    ),
    block(
      'DANGEROUS',
      report.changes.filter(({ severity }) => severity === 'dangerous'),
    ),
    block(
      'SAFE',
      report.changes.filter(({ severity }) => severity === 'safe'),
    ),
    ...notes(report),
  ];
  if (breaking.length > 0) {
    const alternative = `, or list its id with a reason in ${report.acceptedChangesFile}`;
    const mayBeWanted = breaking.some(({ kind }) => isAcceptable(kind));
    const pages = new Map(breaking.map(({ kind, help }) => [kind, help] as const));
    blocks.push(['Rules', ...[...pages].map(([kind, help]) => `  ${kind}  ${help}`)].join('\n'));
    blocks.push(`Mend what is breaking${mayBeWanted ? alternative : ''}.`);
  }
  return [...blocks.filter((text) => text !== ''), `${summarize(report)}.`].join('\n\n');
}

function isRefused({ severity, accepted }: ReportedChange): boolean {
  return severity === 'breaking' && accepted === null;
}

function block(heading: string, changes: readonly ReportedChange[]): string {
  if (changes.length === 0) return '';
  const listed = new Set(changes.map(({ id }) => id));
  const rows = underCauses(changes).map(({ id, message, accepted, cause, place }) => {
    const isBelowCause = cause !== null && listed.has(cause);
    const notes = [
      ...(cause === null || isBelowCause ? [] : [`Cause: ${cause}.`]),
      ...(accepted === null ? [] : [`Accepted: ${accepted}`]),
    ];
    return [
      isBelowCause ? `  ${id}` : id,
      `${place.file}:${place.line}`,
      oneLine([message, ...notes].join(' ')),
    ] as const;
  });
  return [`${heading} (${changes.length})`, ...align(rows)].join('\n');
}

/** Returns the changes with each consequence behind its cause. */
function underCauses(changes: readonly ReportedChange[]): ReportedChange[] {
  const ids = new Set(changes.map(({ id }) => id));
  const isRoot = ({ cause }: ReportedChange) => cause === null || !ids.has(cause);
  return changes
    .filter(isRoot)
    .flatMap((change) => [change, ...changes.filter(({ cause }) => cause === change.id)]);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Aligns columns to their widest cell; the last one is not padded. */
function align(rows: readonly (readonly [string, string, string])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    ([id, place, message]) => `  ${id.padEnd(widths[0] ?? 0)}  ${place.padEnd(widths[1] ?? 0)}  ${message}`,
  );
}

function notes(report: Report): string[] {
  const { base, isBaseEmpty, missing, staleFiles, unusedAcceptances, acceptedChangesFile } = report;
  const lines: string[] = [];
  if (base === null) lines.push('The repository has no commit: there is nothing to compare with.');
  else if (missing.length > 0) {
    const nothing = isBaseEmpty ? 'There is nothing to compare with' : 'Not compared';
    lines.push(`${nothing}: ${base.ref} has no ${missing.join(', ')}.`);
  }
  for (const file of staleFiles)
    lines.push(
      `Stale: ${file} differs from what its sources generate, which is compared. Generate it again.`,
    );
  // Without a composition, nothing was compared.
  const isComposed = !report.changes.some(({ kind }) => kind === 'composition-failed');
  for (const { id } of isComposed ? unusedAcceptances : [])
    lines.push(
      `Unused: ${acceptedChangesFile} accepts ${id}, which is not a breaking change. Delete the entry.`,
    );
  return lines.length > 0 ? [lines.join('\n')] : [];
}
