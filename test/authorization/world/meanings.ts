import type { Case, Cell } from '../matrix/Operation.ts';
import { hasRole, isMember } from '../matrix/rules.ts';
import { people } from './people.ts';

/** Expected refusal of a call by its resolver. */
type Meaning = NonNullable<Case['meaning']>;

export const notFound = { status: 404, code: 'not_found' } as const;
export const foreign = { status: 403, code: 'ownership_required' } as const;
export const roleRequired = { status: 403, code: 'dealer_role_required' } as const;
export const invalid = { status: 422, code: 'validation_failed' } as const;
export const unverified = { status: 403, code: 'email_unverified' } as const;

/** Whether the caller has no confirmed address. */
export const isUnverified = ({ who }: Cell): boolean => people[who].state === 'unverified';

/** 403 without a confirmed address. */
export const onlyVerified: Meaning = (cell) => (isUnverified(cell) ? unverified : null);

/** 404 outside the installation. */
export const onlyHere: Meaning = ({ item }) => (item?.where === 'here' ? null : notFound);

/** 403 for a record of another user, 404 outside the installation. */
export const notOwn: Meaning = ({ item }) => (item?.where === 'here' ? foreign : notFound);

/** 403 for a dealer that the caller does not act for, 404 outside the installation. */
export const onlyMembers: Meaning = ({ item, who }) => {
  if (item?.where !== 'here') return notFound;
  return isMember(who, item) ? null : foreign;
};

/** 403 for a member below manager. */
export const onlyManagers: Meaning = ({ who }) => (hasRole(who, 'manager') ? null : roleRequired);
