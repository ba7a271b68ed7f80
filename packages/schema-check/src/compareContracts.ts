import { buildSchema, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import type { Change } from './Change.ts';
import type { Contract, SourceDocument } from './Contract.ts';
import { checkDocuments, findRemovedOperations } from './documents/checkDocuments.ts';
import type { PlanOperations } from './documents/planOperations.ts';
import { diffApi } from './graph/diffApi.ts';
import { diffNullability } from './graph/diffNullability.ts';
import { findUsage, type Usage } from './graph/findUsage.ts';
import { judgeSunset } from './graph/judgeSunset.ts';
import { diffGuards } from './guards/diffGuards.ts';
import type { GuardLanguage } from './guards/GuardLanguage.ts';
import type { Severity } from './kinds/Severity.ts';
import { diffOpenApi } from './rest/diffOpenApi.ts';
import { UsageError } from './UsageError.ts';
import { findUsers, type Users } from './usage/findUsers.ts';
import { judgeByUsage } from './usage/judgeByUsage.ts';
import type { RecordedUsage } from './usage/Usage.ts';

/** Inputs of a comparison besides the two contracts. */
export interface Circumstances<Guard> {
  readonly guards: GuardLanguage<Guard>;
  /** Texts of further operations that clients send: what they use is not removed without breaking them. */
  readonly known?: readonly string[];
  /** Use of the API that a ledger recorded. */
  readonly usage?: RecordedUsage | undefined;
  /** Operations that are valid for the next schema and must also have a plan. */
  readonly planned?: readonly SourceDocument[];
  /** Day of the check, `YYYY-MM-DD`; the current one by default. */
  readonly today?: string;
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
  const { guards, planned = [], plan, usage } = circumstances;
  const { today = new Date().toISOString().slice(0, 10) } = circumstances;
  const baseApi = base.api === null ? null : readBaseSchema('public schema', base.api);
  const users = usage && findUsers(usage, baseApi);
  const changes: Change[] = [];
  if (next.api !== null) {
    changes.push(...checkDocuments({ ...next, api: next.api }, planned, plan));
    changes.push(...findRemovedOperations(base.operations, next.operations));
    if (baseApi !== null) {
      const sent = [...textsOf(base), ...textsOf(next), ...(circumstances.known ?? [])];
      changes.push(...diffApi(baseApi, buildSchema(next.api), withUsers(findUsage(baseApi, sent), users)));
    }
  }
  changes.push(...diffDirectives(base, next, { guards, baseApi }));
  if (next.openApi && base.openApi) changes.push(...diffOpenApi(base.openApi, next.openApi));
  const judged = usage && users ? judgeByUsage(changes, users, usage) : changes;
  if (baseApi === null) return sortChanges(judged);
  return sortChanges(judged.map((change) => judgeSunset(change, baseApi, today)));
}

/** Compares what only directives state. The public schema contains them only if its SDL was not printed by graphql-js. */
function diffDirectives<Guard>(
  base: Contract,
  next: Contract,
  { guards, baseApi }: { guards: GuardLanguage<Guard>; baseApi: GraphQLSchema | null },
): Change[] {
  const known = base.supergraph === null ? baseApi : readBaseSchema('supergraph', base.supergraph);
  const text = next.supergraph ?? next.api;
  if (known === null || text === null) return [];
  const schema = buildSchema(text, { assumeValidSDL: true });
  const marks = diffNullability(known, schema, (type, field) => isPublic(baseApi ?? known, type, field));
  if (base.supergraph === null || next.supergraph === null) return marks;
  return [...marks, ...diffGuards(known, schema, guards)];
}

function isPublic(api: GraphQLSchema, name: string, field: string): boolean {
  const type = api.getType(name);
  return (isObjectType(type) || isInterfaceType(type)) && field in type.getFields();
}

/** Returns one change for each id, in descending order of severity, then by id. */
export function sortChanges(changes: readonly Change[]): Change[] {
  const distinct = [...new Map(changes.map((change) => [change.id, change])).values()];
  return distinct.sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || (a.id < b.id ? -1 : 1),
  );
}

/** Adds recorded use to that of known operations. */
function withUsers(known: Usage, users: Users | undefined): Usage {
  if (!users) return known;
  return {
    usesField: (type, field) => known.usesField(type, field) || users.usesField(type, field),
    usesType: (name) => known.usesType(name) || users.usesType(name),
  };
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
