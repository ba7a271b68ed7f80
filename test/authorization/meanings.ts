import type { Cell } from './Operation.ts';
import { people } from './people.ts';

/** What an account without a confirmed address is told. */
export const unverified = { status: 403, code: 'email_unverified' } as const;

/** Whether the caller has not confirmed his address. */
export const isUnverified = ({ who }: Cell): boolean => people[who].state === 'unverified';
