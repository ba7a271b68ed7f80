import type { Item } from '../world/Item.ts';
import {
  breadthOf,
  type DealerRole,
  dealerRoles,
  holders,
  type Person,
  people,
  type Who,
} from '../world/people.ts';

/** The expected outcome of a call: it is answered, or refused with this status and code. */
export type Expected = 'answered' | { readonly status: number; readonly code: string };

/** As in `403 ownership_required`. */
export function words(expected: Expected): string {
  return expected === 'answered' ? expected : `${expected.status} ${expected.code}`;
}

/** The interface of a call. */
export type Style = 'rest' | 'graphql';

/** The guard of a call, as the design names it. */
export type Rule =
  | { readonly kind: 'public'; readonly ignoresToken?: boolean }
  | { readonly kind: 'signed in'; readonly alsoIn?: readonly Person['state'][] }
  /** The owner of the item, or a holder of `or` over the whole installation. */
  | { readonly kind: 'owner'; readonly or?: string }
  /** The owner, by id. */
  | { readonly kind: 'self'; readonly who: Who; readonly or?: string }
  /** A member of the item's dealer in at least this role. */
  | { readonly kind: 'member'; readonly atLeast?: DealerRole; readonly or?: string }
  /** The capability with some breadth; with `reach` the item must be within it. */
  | { readonly kind: 'holds'; readonly permission: string; readonly reach?: MissingCode }
  /** The capability over the whole installation. */
  | { readonly kind: 'holds any'; readonly permissions: readonly string[] };

/** Code of the 404 for a missing record. */
export type MissingCode =
  | 'not_found'
  | 'object_not_found'
  | 'related_object_not_found'
  | 'relation_not_found'
  | 'translation_not_found';

const refuse = (status: number, code: string): Expected => ({ status, code });

/** The caller, the item and the style. */
export interface Question {
  readonly rule: Rule;
  readonly who: Who;
  readonly item: Item | null;
  readonly style: Style;
  readonly stepUp?: true | undefined;
  readonly withoutMfa?: true | undefined;
  /** Scope that API clients need. Without a scope, only users can call it. */
  readonly scope?: string | undefined;
}

/**
 * Returns the first refusal in the specified order: identity 401, installation 403, state 403, scope, permission and
 * network 403, second factor and step-up 401, record 404, ownership 403.
 */
export function expect401To404(question: Question): Expected {
  const { rule, who, item, style, stepUp, withoutMfa, scope } = question;
  const ignoresToken = rule.kind === 'public' && rule.ignoresToken && style === 'rest';
  const before = ignoresToken ? 'answered' : expectIdentity(rule, who);
  if (before !== 'answered' || rule.kind === 'public') return before;
  const scoped = expectScope(scope, who);
  if (scoped !== 'answered') return scoped;
  const personal = expectPersonal(rule, scope, who);
  if (personal !== 'answered') return personal;
  const permission = expectPermission(rule, who);
  if (permission !== 'answered') return permission;
  const { isStale, lacksMfa, isAway }: Person = people[who];
  if (isAway) return refuse(403, 'origin_not_allowed');
  if (lacksMfa && !withoutMfa) return refuse(401, 'mfa_required');
  if (stepUp && isStale) return refuse(401, 'reauthentication_required');
  return expectRights(rule, who, item);
}

/** The refusal of an API client, or of its missing scope. */
function expectScope(scope: string | undefined, who: Who): Expected {
  const { scopes }: Person = people[who];
  if (!scopes || scope === '*') return 'answered';
  if (scope === undefined) return refuse(403, 'user_token_required');
  return scopes.includes(scope) ? 'answered' : refuse(403, 'insufficient_scope');
}

/** An operator has no account and is refused unless a permission or the scope `*` allows the call. */
function expectPersonal(rule: Rule, scope: string | undefined, who: Who): Expected {
  const { isOperator }: Person = people[who];
  const isOpenToStaff = 'or' in rule || rule.kind === 'holds' || rule.kind === 'holds any';
  return isOperator && !isOpenToStaff && scope !== '*' ? refuse(403, 'user_token_required') : 'answered';
}

/** The refusal of a missing permission, before any record is read. */
function expectPermission(rule: Rule, who: Who): Expected {
  if (rule.kind === 'holds any' && !rule.permissions.some((name) => holdsAny(who, name)))
    return refuse(403, 'permission_required');
  if (rule.kind === 'holds' && breadthOf(who, rule.permission) === null)
    return refuse(403, 'permission_required');
  return 'answered';
}

function expectIdentity(rule: Rule, who: Who): Expected {
  const { identity, home, state }: Person = people[who];
  if (identity === 'none') return rule.kind === 'public' ? 'answered' : refuse(401, 'token_missing');
  if (identity !== 'accepted') return refuse(401, identity.refused);
  if (home !== 'demo') return refuse(403, 'installation_mismatch');
  if (rule.kind === 'public') return 'answered';
  if (rule.kind === 'signed in' && rule.alsoIn?.includes(state)) return 'answered';
  if (state === 'suspended') return refuse(403, 'account_suspended');
  if (state === 'deletion_scheduled') return refuse(403, 'account_deletion_scheduled');
  return 'answered';
}

function expectRights(rule: Exclude<Rule, { kind: 'public' }>, who: Who, item: Item | null): Expected {
  switch (rule.kind) {
    case 'signed in':
    case 'holds any':
      return 'answered';
    case 'self':
      return who === rule.who || holdsAny(who, rule.or) ? 'answered' : refuse(403, 'ownership_required');
    case 'owner':
      if (item?.where !== 'here') return refuse(404, 'not_found');
      return owns(who, item) || holdsAny(who, rule.or) ? 'answered' : refuse(403, 'ownership_required');
    case 'member':
      if (item?.where !== 'here') return refuse(404, 'not_found');
      if (holdsAny(who, rule.or)) return 'answered';
      if (!isMember(who, item)) return refuse(403, 'ownership_required');
      return hasRole(who, rule.atLeast ?? 'agent') ? 'answered' : refuse(403, 'dealer_role_required');
    case 'holds': {
      if (rule.reach === undefined || item === null) return 'answered';
      if (item.where !== 'here') return refuse(404, rule.reach);
      return breadthOf(who, rule.permission) === 'any' || owns(who, item)
        ? 'answered'
        : refuse(403, 'ownership_required');
    }
  }
}

function holdsAny(who: Who, permission: string | undefined): boolean {
  const { roles }: Person = people[who];
  return permission !== undefined && roles.some((role) => holders[permission]?.includes(role));
}

/** Whether a caller acts for the dealer of an item, in any role. */
export function isMember(who: Who, { owner }: Item): boolean {
  const { dealer }: Person = people[who];
  return owner === 'garage' && dealer?.name === 'garage';
}

/** Whether a member has at least this role. Higher roles include lower ones. */
export function hasRole(who: Who, atLeast: DealerRole): boolean {
  const { dealer }: Person = people[who];
  return dealer !== undefined && dealerRoles.indexOf(dealer.role) >= dealerRoles.indexOf(atLeast);
}

/**
 * Whether a caller owns an item. A private listing belongs to its seller. A dealer's listing belongs to every member,
 * except agents who are restricted to other locations (the listings of the matrix are at the first one, north). A
 * dealer's page belongs to managers and owners. A dealer's file belongs to every member, and a document of a verification
 * to the owners.
 */
export function owns(who: Who, item: Item): boolean {
  if (item.owner === 'seller') return who === 'seller';
  if (!isMember(who, item)) return false;
  // Agents have no access to money.
  if (['dealer', 'payment', 'dispute'].includes(item.type)) return hasRole(who, 'manager');
  // A file has no location.
  if (item.type === 'media') return hasRole(who, item.name === 'mediaPaper' ? 'owner' : 'agent');
  const { dealer }: Person = people[who];
  return dealer?.only === undefined;
}
