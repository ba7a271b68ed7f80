import { changeKinds } from '../Change.ts';
import { countChanges, type Report, type ReportedChange } from './Report.ts';

/**
 * Returns the report as JUnit XML: a test case for each change, a failure for each breaking one that is not accepted.
 */
export function formatJunit(report: Report): string {
  const { breaking } = countChanges(report);
  const cases = report.changes.map(toCase);
  const tests = Math.max(cases.length, 1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="schema-check" tests="${tests}" failures="${breaking}">`,
    `  <testsuite name="schema-check" tests="${tests}" failures="${breaking}" errors="0" skipped="0">`,
    // Readers of JUnit treat an empty suite as one that did not run.
    ...(cases.length > 0 ? cases : ['    <testcase classname="schema-check" name="no change"/>']),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function toCase({ kind, path, severity, accepted, message, place, help }: ReportedChange): string {
  const attributes = `classname="${kind}" name="${escapeXml(path)}" file="${escapeXml(place.file)}" line="${place.line}"`;
  if (severity !== 'breaking' || accepted !== null) return `    <testcase ${attributes}/>`;
  const text = escapeXml(`${message} ${changeKinds[kind].words} See ${help}`);
  return `    <testcase ${attributes}><failure type="${kind}" message="${text}"/></testcase>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/\s*\n\s*/g, ' ');
}
