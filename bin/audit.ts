import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments, refuseCall } from '../app/commands/readArguments.ts';

const command = 'npm run audit';
const { values } = readArguments({
  command,
  about: `Prints every REST method and every root field with its effective guard, from the subgraphs and REST documents of the
working tree. The exit code is 1 if anything is unguarded, a public exception does not fit, or the subgraphs do not compose.`,
  options: {
    json: { type: 'boolean', about: 'print the same as JSON' },
    markdown: { type: 'boolean', about: 'print docs/reference/audit.md' },
    quiet: { type: 'boolean', about: 'print findings only' },
  },
});
if (Object.keys(values).length > 1)
  refuseCall({ command }, 'Use only one of --json, --markdown and --quiet.');

const { buildSchema } = await import('graphql');
const { composeSupergraph } = await import('../packages/schema-check/src/compose/composeSupergraph.ts');
const { auditContract } = await import('../schema/audit/auditContract.ts');
const { toMarkdown } = await import('../schema/audit/toMarkdown.ts');
const { toText } = await import('../schema/audit/toText.ts');
const { readSubgraphs } = await import('../schema/check/readWorkingTree.ts');
const { readRoutes } = await import('../schema/route/readRoutes.ts');

const root = path.join(import.meta.dirname, '..');
const committed = 'schema/supergraph.graphql';
const { supergraph } = composeSupergraph(readSubgraphs(root));
if (readFileSync(path.join(root, committed), 'utf8') !== supergraph)
  console.error(
    `${committed} is stale; the subgraphs of the working tree are audited. Run npm run generate.`,
  );
const audit = auditContract(buildSchema(supergraph), readRoutes());
if (values.json) console.log(JSON.stringify(audit, null, 2));
else if (values.markdown) console.log(toMarkdown(audit).trimEnd());
else console.log(values.quiet ? audit.findings.join('\n') : toText(audit));
process.exitCode = audit.findings.length > 0 ? 1 : 0;
