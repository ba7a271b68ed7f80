import { buildSchema } from 'graphql';
import { type Change, toChange } from '../../packages/schema-check/src/Change.ts';
import type { SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import {
  type Composed,
  composeSupergraph,
} from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { readRecordedCalls } from '../openapi/RecordedCall.ts';
import { toOpenApi } from '../openapi/toOpenApi.ts';
import { bindRoutes, type Contract } from '../route/bindRoutes.ts';
import { InvalidRoutes, type Route } from '../route/Route.ts';
import type { RouteBinding } from '../route/RouteBinding.ts';
import type { ContractSource, GeneratedContract } from './Contract.ts';
import { describeInvalidRoutes } from './describeInvalidRoutes.ts';

/**
 * Generates supergraph, public schema and OpenAPI in memory, by the functions of `npm run generate`. While that command
 * stops at the first error, this function continues, so that one report lists all errors.
 */
export function generateContract(
  { subgraphs, routes, routeDocuments, findings }: ContractSource,
  compose: typeof composeSupergraph = composeSupergraph,
): GeneratedContract {
  if (findings.some(({ kind }) => kind === 'composition-failed')) {
    return { composed: null, openApi: null, routes: [], findings };
  }
  let composed: Composed;
  try {
    composed = compose(subgraphs);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = toChange('composition-failed', 'supergraph.yaml', message);
    return { composed: null, openApi: null, routes: [], findings: [...findings, failure] };
  }
  const contract = { api: buildSchema(composed.api), supergraph: buildSchema(composed.supergraph) };
  const { bindings, invalid } = bindWhatFits(routes, routeDocuments, contract);
  return {
    composed,
    openApi: toOpenApi(bindings, readRecordedCalls()),
    routes: bindings.map(({ route }) => route),
    findings: [...findings, ...invalid],
  };
}

function bindWhatFits(
  routes: readonly Route[],
  documents: readonly SourceDocument[],
  contract: Contract,
): { bindings: RouteBinding[]; invalid: Change[] } {
  try {
    return { bindings: bindRoutes(routes, contract), invalid: [] };
  } catch (error) {
    if (!(error instanceof InvalidRoutes)) throw error;
    const broken = new Set(error.findings.map(({ file }) => file));
    const fitting = routes.filter(({ file }) => !broken.has(file));
    const invalid = describeInvalidRoutes(error.findings, documents, contract.api);
    return { bindings: bindRoutes(fitting, contract), invalid };
  }
}
