import { countChanges, type Report } from './Report.ts';

/** Returns the report as JSON for programs. Members are only ever added. */
export function formatJson(report: Report): string {
  const changes = report.changes.map(({ place, ...change }) => ({ ...change, ...place }));
  return JSON.stringify({ ...report, counts: countChanges(report), changes }, null, 2);
}
