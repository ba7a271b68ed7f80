import { buildSchema, type GraphQLSchema } from 'graphql';
import type { composeSupergraph } from '../compose/composeSupergraph.ts';
import { defaultRestRoot, withRestRoot } from '../route/pathTemplate.ts';
import type { Route } from '../route/Route.ts';
import type { Change } from './Change.ts';
import type { BaseContract, ContractSource, GeneratedContract } from './Contract.ts';
import { checkDocuments, findRemovedOperations } from './documents/checkDocuments.ts';
import type { PlanOperations } from './documents/planOperations.ts';
import { generateContract } from './generateContract.ts';
import { diffApi } from './graph/diffApi.ts';
import { diffGuards } from './graph/diffGuards.ts';
import { findUsage } from './graph/findUsage.ts';
import type { Severity } from './kinds/Severity.ts';
import { diffOpenApi } from './rest/diffOpenApi.ts';
import type { Json } from './rest/Json.ts';
import { UsageError } from './UsageError.ts';

/** What was generated of the working tree, and how it differs from the base. */
export interface ContractCheck {
  readonly generated: GeneratedContract;
  /** The gravest first; of one id there is one. */
  readonly changes: readonly Change[];
}

/** What composes and plans, where it is not to be done anew for each check. */
export interface CheckTools {
  readonly compose?: typeof composeSupergraph;
  readonly plan?: PlanOperations;
}

const order: readonly Severity[] = ['breaking', 'dangerous', 'safe'];

/**
 * Compares the contract of a working tree with that of a base: public schema, guards, REST, and whether every operation
 * document fits the schema and can be planned. What the base does not have is not compared.
 *
 * @throws UsageError when a file of the base cannot be read
 */
export function checkContract(
  base: BaseContract,
  source: ContractSource,
  { compose, plan }: CheckTools = {},
): ContractCheck {
  const generated = generateContract(source, compose);
  const changes = [...generated.findings];
  const { composed, openApi, routes } = generated;
  if (composed && openApi) {
    changes.push(...checkDocuments(composed, routes, source.operations, plan));
    changes.push(...findRemovedOperations(base.documents, source.operations));
    changes.push(...diffGraph(base, source, composed));
    if (base.openApi !== null) {
      const known = parseBase('schema/openapi.json', () => JSON.parse(base.openApi ?? '') as Json);
      changes.push(...withoutBroken(diffOpenApi(known, openApi), source.routes, routes));
    }
  }
  const distinct = [...new Map(changes.map((change) => [change.id, change])).values()];
  return { generated, changes: distinct.sort(bySeverity) };
}

function bySeverity(a: Change, b: Change): number {
  return order.indexOf(a.severity) - order.indexOf(b.severity) || (a.id < b.id ? -1 : 1);
}

function diffGraph(
  base: BaseContract,
  source: ContractSource,
  composed: { readonly api: string; readonly supergraph: string },
): Change[] {
  const changes: Change[] = [];
  if (base.api !== null) {
    const known = readSchema('schema/api.graphql', base.api);
    const texts = [...[...base.documents, ...source.operations].map(({ text }) => text), ...source.logged];
    changes.push(...diffApi(known, buildSchema(composed.api), findUsage(known, texts)));
  }
  if (base.supergraph !== null) {
    const known = readSchema('schema/supergraph.graphql', base.supergraph);
    changes.push(...diffGuards(known, buildSchema(composed.supergraph)));
  }
  return changes;
}

function readSchema(file: string, sdl: string): GraphQLSchema {
  return parseBase(file, () => buildSchema(sdl, { assumeValidSDL: true }));
}

function parseBase<Value>(file: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new UsageError(
      `${file} of the base cannot be read (${reason}); name another one with --base <ref>.`,
      { cause: error },
    );
  }
}

/** A route whose document does not fit the schema is reported as that, not as one that is gone. */
function withoutBroken(changes: Change[], stated: readonly Route[], bound: readonly Route[]): Change[] {
  const fitting = new Set(bound);
  const broken = stated
    .filter((route) => !fitting.has(route))
    .map(({ method, path }) => `${method} ${withRestRoot(path, defaultRestRoot)}`);
  return changes.filter(
    ({ kind, path }) => !((kind === 'route-removed' || kind === 'route-moved') && broken.includes(path)),
  );
}
