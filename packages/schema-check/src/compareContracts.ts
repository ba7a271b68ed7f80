import { buildSchema, type GraphQLSchema } from 'graphql';
import type { Change } from './Change.ts';
import type { Contract, SourceDocument } from './Contract.ts';
import { checkDocuments, findRemovedOperations } from './documents/checkDocuments.ts';
import type { PlanOperations } from './documents/planOperations.ts';
import { diffApi } from './graph/diffApi.ts';
import { findUsage } from './graph/findUsage.ts';
import { diffGuards } from './guards/diffGuards.ts';
import type { GuardLanguage } from './guards/GuardLanguage.ts';
import type { Severity } from './kinds/Severity.ts';
import { diffOpenApi } from './rest/diffOpenApi.ts';
import { UsageError } from './UsageError.ts';

/** Inputs of a comparison besides the two contracts. */
export interface Circumstances<Guard> {
  readonly guards: GuardLanguage<Guard>;
  /** Texts of further operations that clients send: what they use is not removed without breaking them. */
  readonly known?: readonly string[];
  /** Operations that are valid for the next schema and must also have a plan. */
  readonly planned?: readonly SourceDocument[];
  /** Replaces the planner, so that tests need no child process. */
  readonly plan?: PlanOperations;
}

const order: readonly Severity[] = ['breaking', 'dangerous', 'safe'];

/**
 * Compares two states of a contract: public schema, guards and OpenAPI. Every registered operation must be valid for
 * the next schema and have a plan.
 *
 * @returns one change for each difference, in descending order of severity
 * @throws UsageError if a document of the base cannot be parsed
 */
export function compareContracts<Guard>(
  base: Contract,
  next: Contract,
  circumstances: Circumstances<Guard>,
): Change[] {
  const { guards, planned = [], plan } = circumstances;
  const changes: Change[] = [];
  if (next.api !== null) {
    changes.push(...checkDocuments({ ...next, api: next.api }, planned, plan));
    changes.push(...findRemovedOperations(base.operations, next.operations));
    if (base.api !== null)
      changes.push(...diffPublicSchema(base, next.api, [...textsOf(next), ...(circumstances.known ?? [])]));
  }
  if (next.supergraph !== null && base.supergraph !== null) {
    const known = readBaseSchema('supergraph', base.supergraph);
    changes.push(...diffGuards(known, buildSchema(next.supergraph, { assumeValidSDL: true }), guards));
  }
  if (next.openApi && base.openApi) changes.push(...diffOpenApi(base.openApi, next.openApi));
  return sortChanges(changes);
}

/** Returns one change for each id, in descending order of severity, then by id. */
export function sortChanges(changes: readonly Change[]): Change[] {
  const distinct = [...new Map(changes.map((change) => [change.id, change])).values()];
  return distinct.sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || (a.id < b.id ? -1 : 1),
  );
}

function diffPublicSchema(base: Contract, api: string, sent: readonly string[]): Change[] {
  const known = readBaseSchema('public schema', base.api ?? '');
  return diffApi(known, buildSchema(api), findUsage(known, [...textsOf(base), ...sent]));
}

function textsOf({ operations }: Contract): string[] {
  return operations.map(({ text }) => text);
}

function readBaseSchema(name: string, sdl: string): GraphQLSchema {
  try {
    return buildSchema(sdl, { assumeValidSDL: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new UsageError(
      `The ${name} of the base cannot be parsed (${reason}). Choose another base with --base <ref|file|url>.`,
      { cause: error },
    );
  }
}
