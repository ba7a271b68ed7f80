import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { readArguments } from '../app/commands/readArguments.ts';
import { auditContract } from '../schema/audit/auditContract.ts';
import { toMarkdown } from '../schema/audit/toMarkdown.ts';
import { routeBehaviours } from '../schema/behaviour/routeBehaviour.ts';
import { toMarkdown as behavioursToMarkdown } from '../schema/behaviour/toMarkdown.ts';
import { assembleSubgraphSdl } from '../schema/compose/assembleSubgraphSdl.ts';
import { composeSupergraph } from '../schema/compose/composeSupergraph.ts';
import { generateTypes } from '../schema/compose/generateTypes.ts';
import { readSupergraphConfig, type SubgraphConfig } from '../schema/compose/readSupergraphConfig.ts';
import { findUndescribed } from '../schema/compose/toApiSdl.ts';
import { readRecordedCalls } from '../schema/openapi/RecordedCall.ts';
import { toOpenApi } from '../schema/openapi/toOpenApi.ts';
import { readReleases } from '../schema/releases/storedReleases.ts';
import { toChangelog } from '../schema/releases/toChangelog.ts';
import { interfaceVersions } from '../schema/route/adapterRoutes.ts';
import { bindRoutes } from '../schema/route/bindRoutes.ts';
import type { Route } from '../schema/route/Route.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';

const { values } = readArguments({
  command: 'npm run generate',
  about: `Writes the generated files that are stale: schemas of the subgraphs, supergraph, types, OpenAPI, audit, client,
documentation, tables of settings, plans.`,
  options: {
    check: { type: 'boolean', about: 'write nothing, and fail with the list of stale files' },
    subgraph: {
      type: 'string',
      about: 'only the files of this subgraph, for work on it while another one does not compose',
    },
  },
});

const projectRoot = path.join(import.meta.dirname, '..');

/** A generated file: its path relative to the project, and what it must hold. */
interface Output {
  readonly file: string;
  readonly text: string;
}

/** SDL and resolver types of one subgraph; needs no other subgraph to be well. */
async function subgraphOutputs({ name, file }: SubgraphConfig): Promise<Output[]> {
  const sdl = assembleSubgraphSdl(name);
  return [
    { file, text: sdl },
    { file: `subgraphs/${name}/${name}.generated.ts`, text: await generateTypes(projectRoot, name, sdl) },
  ];
}

/** What only all subgraphs together make. */
async function composedOutputs(subgraphs: readonly SubgraphConfig[]): Promise<Output[]> {
  const composed = composeSupergraph(
    subgraphs.map(({ name, url }) => ({ name, url, sdl: assembleSubgraphSdl(name) })),
  );
  const undescribed = findUndescribed(buildSchema(composed.api));
  if (undescribed.length > 0) {
    throw new Error(`${undescribed.length} without a description:\n  ${undescribed.join('\n  ')}`);
  }
  const contract = { api: buildSchema(composed.api), supergraph: buildSchema(composed.supergraph) };
  const routes = readRoutes();
  const bindings = bindRoutes(routes, contract);
  const openApi = toOpenApi(bindings, readRecordedCalls());
  const audit = auditContract(contract.supergraph, routes);
  return [
    { file: 'schema/supergraph.graphql', text: composed.supergraph },
    { file: 'schema/api.graphql', text: composed.api },
    { file: 'schema/openapi.json', text: `${JSON.stringify(openApi, null, 2)}\n` },
    { file: 'schema/audit.json', text: `${JSON.stringify(audit, null, 2)}\n` },
    { file: 'docs/reference/audit.md', text: toMarkdown(audit) },
    { file: 'docs/reference/rest-behaviour.md', text: behavioursToMarkdown(routeBehaviours(bindings)) },
    ...(await clientFiles({ api: composed.api, openApi, routes })),
  ];
}

function changelogOf(composed: readonly Output[]): Output {
  const textOf = (name: string) => composed.find(({ file }) => file === `schema/${name}`)?.text ?? '';
  const present = {
    name: interfaceVersions.A,
    at: null,
    api: textOf('api.graphql'),
    supergraph: textOf('supergraph.graphql'),
    openApi: textOf('openapi.json'),
  };
  const releases = readReleases(path.join(projectRoot, 'schema/releases'));
  return { file: 'docs/reference/changelog.md', text: toChangelog(releases, present) };
}

// Client, documentation and settings are not needed for the contract: a checkout that has only schema/, bin/ and the
// documents of operations generates and checks as well.

async function clientFiles(contract: {
  api: string;
  openApi: object;
  routes: readonly Route[];
}): Promise<Output[]> {
  if (!existsSync(path.join(projectRoot, 'packages/client/generate'))) return [];
  const { clientOutputs } = await import('../packages/client/generate/clientOutputs.ts');
  return clientOutputs(contract);
}

async function documentationFiles(changelog: Output): Promise<Output[]> {
  if (!existsSync(path.join(projectRoot, 'site'))) return [];
  const { documentationOutputs } = await import('../site/documentationOutputs.ts');
  return documentationOutputs(projectRoot, [changelog]);
}

async function readme(): Promise<Output[]> {
  if (!existsSync(path.join(projectRoot, 'app/configuration'))) return [];
  const { withSettings } = await import('../app/configuration/toMarkdown.ts');
  const { concerns } = await import('../app/configuration/readConfiguration.ts');
  const text = readFileSync(path.join(projectRoot, 'README.md'), 'utf8');
  return [{ file: 'README.md', text: withSettings(text, concerns) }];
}

function isStale({ file, text }: Output): boolean {
  const target = path.join(projectRoot, file);
  return !existsSync(target) || readFileSync(target, 'utf8') !== text;
}

/** The plans of the release; they are made of the supergraph that was written before. */
async function plans(check: boolean): Promise<void> {
  if (!existsSync(path.join(projectRoot, 'app/plans'))) return;
  const { writePlans } = await import('../app/plans/writePlans.ts');
  await writePlans({ check });
}

/** @returns exit code */
async function build(): Promise<number> {
  const { subgraph: only, check = false } = values;
  const subgraphs = readSupergraphConfig(projectRoot);
  const chosen = subgraphs.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`supergraph.yaml lists no subgraph "${only}"`);
  const outputs = (await Promise.all(chosen.map(subgraphOutputs))).flat();
  if (only === undefined) {
    const composed = await composedOutputs(subgraphs);
    const changelog = changelogOf(composed);
    outputs.push(...composed, changelog, ...(await documentationFiles(changelog)), ...(await readme()));
  }
  const stale = outputs.filter(isStale);
  if (check) {
    for (const { file } of stale) console.error(`stale: ${file} (run "npm run generate")`);
    if (stale.length > 0) return 1;
  }
  for (const { file, text } of stale) {
    mkdirSync(path.dirname(path.join(projectRoot, file)), { recursive: true });
    writeFileSync(path.join(projectRoot, file), text);
    console.log(`wrote ${file}`);
  }
  if (only === undefined) await plans(check);
  return 0;
}

try {
  process.exitCode = await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
