import { print } from 'graphql';
import type { Change } from '../../packages/schema-check/src/Change.ts';
import type { Contract, SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import { compareContracts, sortChanges } from '../../packages/schema-check/src/compareContracts.ts';
import type { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import type { PlanOperations } from '../../packages/schema-check/src/documents/planOperations.ts';
import type { RecordedUsage } from '../../packages/schema-check/src/usage/Usage.ts';
import { defaultRestRoot, withRestRoot } from '../route/pathTemplate.ts';
import type { Route } from '../route/Route.ts';
import { type BaseContract, type ContractSource, type GeneratedContract, routesFolder } from './Contract.ts';
import { generateContract } from './generateContract.ts';
import { guardLanguage } from './guardLanguage.ts';

/** Generated contract of the working tree, and its differences from the base. */
export interface ContractCheck {
  readonly generated: GeneratedContract;
  /** Changes in descending order of severity, one for each id. */
  readonly changes: readonly Change[];
}

/** Recorded use, and replacements of the composer and the planner, so that tests of many contracts are fast. */
export interface CheckTools {
  /** Use of the API that a ledger recorded. */
  readonly usage?: RecordedUsage | undefined;
  readonly compose?: typeof composeSupergraph;
  readonly plan?: PlanOperations;
}

/**
 * Compares the contract of a working tree with that of a base: public schema, guards, REST, and whether every operation
 * document matches the schema and can be planned. Parts that the base does not have are not compared.
 *
 * @throws UsageError if a file of the base cannot be read
 */
export function checkContract(
  base: BaseContract,
  source: ContractSource,
  { compose, plan, usage }: CheckTools = {},
): ContractCheck {
  const generated = generateContract(source, compose);
  const { composed, openApi, routes } = generated;
  if (!composed) return { generated, changes: sortChanges(generated.findings) };
  const next: Contract = { ...composed, openApi, operations: source.operations };
  const compared = compareContracts(base, next, {
    guards: guardLanguage,
    known: [...base.routeDocuments.map(({ text }) => text), ...source.logged],
    planned: documentsOf(routes),
    usage,
    ...(plan && { plan }),
  });
  const changes = [...generated.findings, ...withoutBroken(compared, source.routes, routes)];
  return { generated, changes: sortChanges(changes) };
}

/** Returns the documents of routes; several routes may share one. */
export function documentsOf(routes: readonly Route[]): SourceDocument[] {
  const documents = new Map(routes.map(({ file, document }) => [file, document]));
  return [...documents].map(([file, document]) => ({
    file: `${routesFolder}/${file}`,
    text: print(document),
  }));
}

/** Removes changes of invalid routes, which are reported as invalid instead of removed. */
function withoutBroken(changes: Change[], stated: readonly Route[], bound: readonly Route[]): Change[] {
  const fitting = new Set(bound);
  const broken = stated
    .filter((route) => !fitting.has(route))
    .map(({ method, path }) => `${method} ${withRestRoot(path, defaultRestRoot)}`);
  return changes.filter(
    ({ kind, path }) => !((kind === 'route-removed' || kind === 'route-moved') && broken.includes(path)),
  );
}
