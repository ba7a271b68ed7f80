import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { readAcceptedFile } from '../../packages/schema-check/src/acceptedChanges.ts';
import { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { auditContract } from '../../schema/audit/auditContract.ts';
import { toMarkdown } from '../../schema/audit/toMarkdown.ts';
import { routeBehaviours } from '../../schema/behaviour/routeBehaviour.ts';
import { toMarkdown as behavioursToMarkdown } from '../../schema/behaviour/toMarkdown.ts';
import { acceptedChangesFile } from '../../schema/check/Contract.ts';
import { assembleSubgraphSdl } from '../../schema/compose/assembleSubgraphSdl.ts';
import { findUndescribed } from '../../schema/compose/findUndescribed.ts';
import type { SubgraphConfig } from '../../schema/compose/readSupergraphConfig.ts';
import { toDeprecatedParts } from '../../schema/deprecation/DeprecatedPart.ts';
import { deprecationForm, parseDeprecation } from '../../schema/deprecation/Deprecation.ts';
import { deprecationTable } from '../../schema/deprecation/deprecationTable.ts';
import { type DeprecatedMember, listDeprecations } from '../../schema/deprecation/listDeprecations.ts';
import { readRecordedCalls } from '../../schema/openapi/RecordedCall.ts';
import { toOpenApi } from '../../schema/openapi/toOpenApi.ts';
import { nextRelease, readReleases } from '../../schema/releases/storedReleases.ts';
import { toChangelog } from '../../schema/releases/toChangelog.ts';
import { bindRoutes } from '../../schema/route/bindRoutes.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import type { Output } from './Output.ts';

/** Returns the output for the SDL of one subgraph; it is generated without the other subgraphs. */
export function subgraphOutput({ name, file }: SubgraphConfig): Output {
  return { file, text: assembleSubgraphSdl(name) };
}

/**
 * Returns the generated files that are committed, because they are reviewed: schemas, OpenAPI and guides.
 *
 * @throws Error if the subgraphs do not compose, a type or field has no description, or a deprecation states no days
 */
export async function committedOutputs(
  root: string,
  subgraphs: readonly SubgraphConfig[],
): Promise<Output[]> {
  return [
    ...subgraphs.map(subgraphOutput),
    ...contractOutputs(root, subgraphs),
    ...(await rulePages(root)),
    ...(await stateFiles(root)),
    ...(await settings(root)),
  ];
}

function contractOutputs(root: string, subgraphs: readonly SubgraphConfig[]): Output[] {
  const composed = composeSupergraph(
    subgraphs.map(({ name, url }) => ({ name, url, sdl: assembleSubgraphSdl(name) })),
  );
  const undescribed = findUndescribed(buildSchema(composed.api));
  if (undescribed.length > 0) {
    throw new Error(`${undescribed.length} without a description:\n  ${undescribed.join('\n  ')}`);
  }
  const deprecations = readDeprecations(composed.api);
  const contract = { api: buildSchema(composed.api), supergraph: buildSchema(composed.supergraph) };
  const routes = readRoutes();
  const bindings = bindRoutes(routes, contract);
  const openApi = `${JSON.stringify(toOpenApi(bindings, readRecordedCalls()), null, 2)}\n`;
  const present = { name: nextRelease, at: null, ...composed, openApi };
  const deprecated = toDeprecatedParts(deprecations, bindings);
  const releases = readReleases(path.join(root, 'schema/releases'));
  return [
    { file: 'schema/supergraph.graphql', text: composed.supergraph },
    { file: 'schema/api.graphql', text: composed.api },
    { file: 'schema/openapi.json', text: openApi },
    { file: 'schema/deprecations.json', text: `${JSON.stringify(deprecated, null, 2)}\n` },
    {
      file: 'docs/reference/changelog.md',
      text: toChangelog(releases, present, {
        deprecations: deprecationTable(deprecated),
        accepted: readAcceptedFile(root, acceptedChangesFile),
      }),
    },
    { file: 'docs/reference/audit.md', text: toMarkdown(auditContract(contract.supergraph, routes)) },
    { file: 'docs/reference/rest-behaviour.md', text: behavioursToMarkdown(routeBehaviours(bindings)) },
  ];
}

/** Lists the deprecated members, each of which must state its days. */
function readDeprecations(api: string): DeprecatedMember[] {
  const members = listDeprecations(buildSchema(api));
  const undated = members.filter(({ reason }) => parseDeprecation(reason) === null);
  if (undated.length === 0) return members;
  const list = undated.map(({ coordinate }) => coordinate).join('\n  ');
  throw new Error(
    `${undated.length} deprecations without a reason of the form "${deprecationForm}":\n  ${list}`,
  );
}

// Documentation and settings are not needed for the contract. A checkout with only schema/, bin/ and the operation
// documents can also generate and check it.

async function rulePages(root: string): Promise<Output[]> {
  const folder = 'packages/schema-check';
  if (!existsSync(path.join(root, folder, 'examples'))) return [];
  const pages = await import('../../packages/schema-check/examples/rulePages.ts');
  return pages.rulePages().map(({ file, text }) => ({ file: `${folder}/${file}`, text }));
}

async function stateFiles(root: string): Promise<Output[]> {
  if (!existsSync(path.join(root, 'site'))) return [];
  const { stateOutputs } = await import('../../site/states/stateOutputs.ts');
  return stateOutputs();
}

async function settings(root: string): Promise<Output[]> {
  if (!existsSync(path.join(root, 'app/configuration'))) return [];
  const { withSettings } = await import('../configuration/toMarkdown.ts');
  const { concerns } = await import('../configuration/readConfiguration.ts');
  const file = 'docs/reference/configuration.md';
  return [{ file, text: withSettings(readFileSync(path.join(root, file), 'utf8'), concerns) }];
}
