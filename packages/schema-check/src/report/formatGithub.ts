import { changeKinds } from '../Change.ts';
import { type Report, type ReportedChange, summarize } from './Report.ts';

type Command = 'error' | 'warning' | 'notice';

/**
 * Returns the report as workflow commands, which GitHub shows at the lines of a pull request. Safe changes are omitted,
 * because GitHub shows only ten of each type.
 */
export function formatGithub(report: Report): string {
  const { changes, staleFiles, unusedAcceptances, acceptedChangesFile } = report;
  return [
    ...changes.filter(({ severity }) => severity !== 'safe').map(annotate),
    ...staleFiles.map((file) => command('warning', { file, line: 1, title: 'stale' }, 'Generate it again.')),
    ...unusedAcceptances.map(({ id }) =>
      command(
        'warning',
        { file: acceptedChangesFile, line: 1, title: 'unused' },
        `${id} is not a breaking change. Delete the entry.`,
      ),
    ),
    command('notice', { title: 'schema-check' }, summarize(report)),
  ].join('\n');
}

function annotate({ kind, id, severity, message, accepted, place, help }: ReportedChange): string {
  const name = accepted !== null ? 'notice' : severity === 'breaking' ? 'error' : 'warning';
  const reason = accepted === null ? changeKinds[kind].words : `Accepted: ${accepted}`;
  return command(
    name,
    { ...place, title: `${severity}: ${kind}` },
    `${message} ${reason} [${id}] See ${help}`,
  );
}

function command(
  name: Command,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${list.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
