import type { GuardDifference } from '../../packages/schema-check/src/guards/GuardLanguage.ts';
import { dealerRoles, type Guard } from '../guards/readGuard.ts';
import { impliedPermissions, type Permission } from '../permissions.ts';

/** A condition of a guard, with a check of whether another guard already implies it. */
interface Demand {
  readonly words: string;
  isMetBy(other: Guard): boolean;
}

/**
 * Compares two guards by the callers they admit. A guard is a list of conditions that must all hold. The new guard is
 * stricter by each condition that the old one does not imply, and looser by each of the old conditions that the new one
 * does not imply.
 *
 * @param before null if it has no conditions of its own
 */
export function compareGuards(before: Guard | null, after: Guard | null): GuardDifference {
  return { added: unmet(after, before), dropped: unmet(before, after) };
}

function unmet(demanding: Guard | null, other: Guard | null): string[] {
  if (!demanding) return [];
  const passed = other && !other.public ? other : null;
  return demandsOf(demanding)
    .filter((demand) => !passed || !demand.isMetBy(passed))
    .map(({ words }) => words);
}

function demandsOf(guard: Guard): Demand[] {
  if (guard.public) return [];
  const demands: Demand[] = [{ words: 'an identity', isMetBy: () => true }];
  if (guard.permission) demands.push(permissionDemand(guard.permission));
  if (guard.owner) demands.push(ownerDemand(guard.owner));
  if (guard.dealerRole) demands.push(dealerRoleDemand(guard.dealerRole));
  demands.push(clientDemand(guard.clientScope), stateDemand(guard.allowedStates ?? []));
  if (!guard.allowsWithoutMfa) demands.push(mfaDemand);
  if (guard.stepUpMaxAgeSeconds !== undefined) demands.push(stepUpDemand(guard.stepUpMaxAgeSeconds));
  return demands;
}

function permissionDemand({ name, breadth }: NonNullable<Guard['permission']>): Demand {
  return {
    words: `the permission ${name}${breadth === 'OWN' ? ' for own objects' : ''}`,
    isMetBy: ({ permission }) =>
      permission !== undefined &&
      includes(permission.name, name) &&
      (permission.breadth === 'ANY' || breadth === 'OWN'),
  };
}

/** Returns whether every holder of one permission holds the other. */
function includes(held: Permission, demanded: Permission): boolean {
  return held === demanded || (impliedPermissions[held]?.includes(demanded) ?? false);
}

function ownerDemand({ type, id, or }: NonNullable<Guard['owner']>): Demand {
  return {
    words: `ownership of the ${type} at "${id}"${or ? ` or the permission ${or}` : ''}`,
    isMetBy: (other) =>
      holdsEverywhere(other, or) ||
      (other.owner?.type === type && other.owner.id === id && isWithin(other.owner.or, or)),
  };
}

function dealerRoleDemand({ atLeast, dealer, or }: NonNullable<Guard['dealerRole']>): Demand {
  const rank = dealerRoles.indexOf(atLeast);
  return {
    words: `the role ${atLeast} in the dealer at "${dealer}"${or ? ` or the permission ${or}` : ''}`,
    isMetBy: (other) =>
      holdsEverywhere(other, or) ||
      (other.dealerRole?.dealer === dealer &&
        dealerRoles.indexOf(other.dealerRole.atLeast) >= rank &&
        isWithin(other.dealerRole.or, or)),
  };
}

/** Returns whether every caller who passes the other guard holds the alternative permission. */
function holdsEverywhere({ permission }: Guard, or: Permission | undefined): boolean {
  return or !== undefined && permission?.breadth === 'ANY' && includes(permission.name, or);
}

/** Returns whether the other guard's alternative admits no caller who is refused here. */
function isWithin(otherAlternative: string | undefined, or: string | undefined): boolean {
  return otherAlternative === undefined || otherAlternative === or;
}

/** Returns the condition for API clients. Without a scope none is admitted, with `*` every one is. */
function clientDemand(scope: string | undefined): Demand {
  return {
    words: scope === undefined ? "a user's token, not an API client's" : `the client scope ${scope}`,
    isMetBy: ({ clientScope }) => clientScope === undefined || clientScope === scope || scope === '*',
  };
}

function stateDemand(states: readonly string[]): Demand {
  return {
    words: `the state ${['active', 'unverified', ...states].join(' or ')}`,
    isMetBy: ({ allowedStates = [] }) => allowedStates.every((state) => states.includes(state)),
  };
}

const mfaDemand: Demand = {
  words: 'a second factor where a role demands one',
  isMetBy: ({ allowsWithoutMfa }) => !allowsWithoutMfa,
};

function stepUpDemand(maxAgeSeconds: number): Demand {
  return {
    words: `a sign-in within ${maxAgeSeconds} s`,
    isMetBy: ({ stepUpMaxAgeSeconds }) =>
      stepUpMaxAgeSeconds !== undefined && stepUpMaxAgeSeconds <= maxAgeSeconds,
  };
}
