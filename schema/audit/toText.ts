import type { Audit } from './Audit.ts';

/** Returns the audit as columns of a terminal. */
export function toText(audit: Audit): string {
  const sections = Object.entries(audit.interfaces).map(
    ([name, { authenticated, public: open, unguarded }]) => {
      const methods = audit.methods.filter((method) => method.interface === name);
      const rows = methods.map(({ method, path, field, guard }) => [
        method,
        path,
        field ?? 'adapter',
        inWords(guard),
      ]);
      const heading = `Interface ${name}: ${authenticated} authenticated, ${open} public, ${unguarded} without a guard`;
      return `${heading}\n${table(rows)}`;
    },
  );
  const graphqlOnly = audit.rootFields.filter(({ routes }) => routes === 0);
  const parts = [
    ...sections,
    `Root fields in GraphQL only: ${graphqlOnly.length}\n${table(graphqlOnly.map(({ field, guard }) => [field, inWords(guard)]))}`,
    `Nested fields with a guard of their own: ${audit.nestedFields.length}\n${table(audit.nestedFields.map(({ field, guard, typeGuard }) => [field, guard, `type: ${typeGuard ?? 'none of its own'}`]))}`,
    `Operations of the service\n${table(audit.operations.map(({ method, path, summary }) => [method, path, summary]))}`,
  ];
  if (audit.unmountedExceptions.length > 0) {
    parts.push(
      `Public exceptions of A not mounted yet: ${audit.unmountedExceptions.length}\n  ${audit.unmountedExceptions.join('\n  ')}`,
    );
  }
  if (audit.findings.length > 0) parts.push(`FINDINGS\n  ${audit.findings.join('\n  ')}`);
  return parts.join('\n\n');
}

/** Returns a guard in the format of the tables. */
export function inWords(guard: string | null): string {
  return guard ?? 'NO GUARD';
}

/** Returns text in columns, each as wide as its widest cell; the last one is not padded. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
