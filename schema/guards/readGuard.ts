import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { Permission } from '../permissions.ts';
import { type GuardDirective, guardDirectives } from './guardDirectives.ts';

/** Roles inside a dealer, in the order of their power. */
export const dealerRoles = ['AGENT', 'MANAGER', 'OWNER'] as const;

/** Role of a dealer's member. */
export type DealerRole = (typeof dealerRoles)[number];

/** Objects that a permission covers: `ANY` of the installation, or the caller's `OWN`. */
export type Breadth = 'ANY' | 'OWN';

/**
 * Demands of a field or type on its caller, as its directives state them. Only stated members are present; all of them
 * must be met.
 */
export interface Guard {
  public?: true;
  authenticated?: true;
  permission?: { name: Permission; breadth: Breadth };
  /** `id` is a path into the field's arguments, as in `input.id`. */
  owner?: { type: string; id: string; or?: Permission };
  /** `dealer` is a path into the field's arguments. */
  dealerRole?: { atLeast: DealerRole; dealer: string; or?: Permission };
  /** Scope that opens the field to API clients; `*` opens it to all of them. */
  clientScope?: string;
  /** Maximum age of the sign-in in seconds. */
  stepUpMaxAgeSeconds?: number;
  /** Whether every call reads its caller from the database, as for a permission or a step-up. */
  freshCaller?: true;
  /** Allowed states besides active and unverified. */
  allowedStates?: string[];
  /** Also admits callers whose role requires a second factor that they have not used. */
  allowsWithoutMfa?: true;
}

/**
 * Reads the guard of a root field, a nested field or an entity type from the directives of its definition, in a
 * subgraph's schema and in the supergraph. Null if none of the deciding directives is stated, which prevents the start
 * (default deny).
 */
export function readGuard(element: GraphQLField<unknown, unknown> | GraphQLObjectType): Guard | null {
  const guard: Guard = {};
  const extensions = 'extensionASTNodes' in element ? element.extensionASTNodes : [];
  for (const node of [element.astNode, ...extensions])
    for (const directive of guardDirectives(node)) readDirective(directive, guard);
  return isDecisive(guard) ? guard : null;
}

/**
 * Returns whether a guard decides who may call. Step-up, freshness, scope, states and second factor only refine a
 * decision.
 */
function isDecisive(guard: Guard): boolean {
  return Boolean(guard.public || guard.authenticated || guard.permission || guard.owner || guard.dealerRole);
}

function readDirective({ name, values }: GuardDirective, guard: Guard): void {
  switch (name) {
    case 'public':
      guard.public = true;
      break;
    case 'authenticated':
      guard.authenticated = true;
      break;
    case 'permission':
      guard.permission = { name: values.name as Permission, breadth: (values.breadth ?? 'ANY') as Breadth };
      break;
    case 'owner':
      guard.owner = { type: String(values.type), id: String(values.id ?? 'id'), ...alternative(values) };
      break;
    case 'dealerRole':
      guard.dealerRole = {
        atLeast: values.atLeast as DealerRole,
        dealer: String(values.dealer),
        ...alternative(values),
      };
      break;
    case 'clientScope':
      guard.clientScope = String(values.name);
      break;
    case 'stepUp':
      guard.stepUpMaxAgeSeconds = Number(values.maxAgeSeconds ?? 600);
      break;
    case 'freshCaller':
      guard.freshCaller = true;
      break;
    case 'allowState':
      guard.allowedStates = values.states as string[];
      break;
    case 'allowWithoutMfa':
      guard.allowsWithoutMfa = true;
      break;
  }
}

function alternative(values: GuardDirective['values']): { or?: Permission } {
  return values.or ? { or: values.or as Permission } : {};
}

/** Describes a guard for the audit and the documentation: `owner of Listing or listings:moderate`. */
export function describeGuard(guard: Guard): string {
  const parts: string[] = [];
  if (guard.public) parts.push('public');
  if (guard.permission) {
    parts.push(
      `permission ${guard.permission.name}${guard.permission.breadth === 'OWN' ? ' (own objects suffice)' : ''}`,
    );
  }
  if (guard.owner) parts.push(`owner of ${guard.owner.type}${guard.owner.or ? ` or ${guard.owner.or}` : ''}`);
  if (guard.dealerRole) {
    const { atLeast, or } = guard.dealerRole;
    parts.push(`dealer ${atLeast.toLowerCase()}${or ? ` or ${or}` : ''}`);
  }
  if (parts.length === 0) parts.push('authenticated');
  if (guard.clientScope) parts.push(`client scope ${guard.clientScope}`);
  if (guard.stepUpMaxAgeSeconds) parts.push(`sign-in within ${guard.stepUpMaxAgeSeconds} s`);
  if (guard.freshCaller) parts.push('caller never from cache');
  if (guard.allowsWithoutMfa) parts.push('second factor never demanded');
  return parts.join(', ');
}
