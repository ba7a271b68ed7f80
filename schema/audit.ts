import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { type Audit, auditContract } from './audit/auditContract.ts';
import { readRoutes } from './route/readRoutes.ts';

/** Text in columns: each as wide as its widest cell, the last one free. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

function report(audit: Audit): string {
  const guardWords = (guard: string | null) => guard ?? 'NO GUARD';
  const sections = Object.entries(audit.interfaces).map(
    ([name, { authenticated, public: open, unguarded }]) => {
      const methods = audit.methods.filter((method) => method.interface === name);
      const rows = methods.map(({ method, path: template, field, guard }) => [
        method,
        template,
        field ?? 'adapter',
        guardWords(guard),
      ]);
      const heading = `Interface ${name}: ${authenticated} authenticated, ${open} public, ${unguarded} without a guard`;
      return `${heading}\n${table(rows)}`;
    },
  );
  const graphqlOnly = audit.rootFields.filter(({ routes }) => routes === 0);
  const parts = [
    ...sections,
    `Root fields in GraphQL only: ${graphqlOnly.length}\n${table(graphqlOnly.map(({ field, guard }) => [field, guardWords(guard)]))}`,
    `Nested fields with a guard of their own: ${audit.nestedFields.length}\n${table(audit.nestedFields.map(({ field, guard, typeGuard }) => [field, guard, `type: ${typeGuard ?? 'none of its own'}`]))}`,
    `Operations of the service\n${table(audit.operations.map(({ method, path: template, summary }) => [method, template, summary]))}`,
  ];
  if (audit.unmountedExceptions.length > 0) {
    parts.push(
      `Public exceptions of A not mounted yet: ${audit.unmountedExceptions.length}\n  ${audit.unmountedExceptions.join('\n  ')}`,
    );
  }
  if (audit.findings.length > 0) parts.push(`FINDINGS\n  ${audit.findings.join('\n  ')}`);
  return parts.join('\n\n');
}

/**
 * `npm run audit`: every REST method and every root field with its effective guard, from the committed supergraph and
 * the route documents. `--json` prints the same for programs. Exit code 1 if anything is unguarded or a public exception
 * does not fit.
 */
function run(options: readonly string[]): number {
  const sdl = readFileSync(path.join(import.meta.dirname, 'supergraph.graphql'), 'utf8');
  const audit = auditContract(buildSchema(sdl), readRoutes());
  console.log(options.includes('--json') ? JSON.stringify(audit, null, 2) : report(audit));
  return audit.findings.length > 0 ? 1 : 0;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
