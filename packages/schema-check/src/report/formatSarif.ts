import { changeKinds } from '../Change.ts';
import type { Severity } from '../kinds/Severity.ts';
import type { Report, ReportedChange } from './Report.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  breaking: 'error',
  dangerous: 'warning',
  safe: 'note',
};

/** Returns the report as a SARIF 2.1.0 log; accepted changes are suppressed results with their reason (3.27.23). */
export function formatSarif(report: Report): string {
  const kinds = [...new Set(report.changes.map(({ kind }) => kind))].sort();
  const helpUris = new Map(report.changes.map(({ kind, help }) => [kind, help]));
  const rules = kinds.map((id) => ({
    id,
    shortDescription: { text: changeKinds[id].words },
    helpUri: helpUris.get(id),
    help: { text: [changeKinds[id].words, changeKinds[id].remedy].filter(Boolean).join(' ') },
    defaultConfiguration: { level: levels[changeKinds[id].severity] },
  }));
  const run = {
    tool: { driver: { name: 'schema-check', rules } },
    results: report.changes.map((change) => toResult(change, kinds.indexOf(change.kind))),
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications(report) }],
    columnKind: 'utf16CodeUnits',
  };
  const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
  return JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2);
}

function toResult({ kind, id, severity, message, accepted, place }: ReportedChange, ruleIndex: number) {
  return {
    ruleId: kind,
    ruleIndex,
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(place.file), uriBaseId: '%SRCROOT%' },
          region: { startLine: place.line },
        },
      },
    ],
    partialFingerprints: { 'changeId/v1': id },
    ...(accepted === null
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }] }),
  };
}

function notifications({ base, missing, staleFiles, unusedAcceptances, acceptedChangesFile }: Report) {
  const texts = [
    ...(base === null ? ['The repository has no commit: there is nothing to compare with.'] : []),
    ...missing.map((file) => `The base has no ${file}: it is not compared.`),
    ...staleFiles.map((file) => `${file} is stale: generate it again.`),
    ...unusedAcceptances.map(
      ({ id }) => `${acceptedChangesFile} accepts ${id}, which is not a breaking change.`,
    ),
  ];
  return texts.map((text) => ({ level: 'warning', message: { text } }));
}
