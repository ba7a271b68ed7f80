import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import type { Audit } from '../schema/audit/Audit.ts';
import { auditContract } from '../schema/audit/auditContract.ts';
import { toMarkdown } from '../schema/audit/toMarkdown.ts';
import { toText } from '../schema/audit/toText.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';

/** By option: how the audit is printed. */
const formats: Readonly<Record<string, (audit: Audit) => string>> = {
  '--json': (audit) => JSON.stringify(audit, null, 2),
  '--markdown': (audit) => toMarkdown(audit).trimEnd(),
  '--quiet': ({ findings }) => findings.join('\n'),
};

/**
 * `npm run audit`: every REST method and every root field with its effective guard, from the committed supergraph and
 * the route documents. `--json` prints the same for programs, `--markdown` the committed `docs/audit.md`, `--quiet` the
 * findings alone. Exit code 1 if anything is unguarded or a public exception does not fit, 2 for an unknown option.
 */
function run([option, ...others]: readonly string[]): number {
  const format = option === undefined ? toText : formats[option];
  if (!format || others.length > 0) {
    console.error(`npm run audit takes one of: ${Object.keys(formats).join(', ')}`);
    return 2;
  }
  const sdl = readFileSync(path.join(import.meta.dirname, '../schema/supergraph.graphql'), 'utf8');
  const audit = auditContract(buildSchema(sdl), readRoutes());
  console.log(format(audit));
  return audit.findings.length > 0 ? 1 : 0;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
