import type { GraphQLField } from 'graphql';
import { describeGuard, readGuard } from '../guards/readGuard.ts';
import { readRateClass } from '../guards/readRateClass.ts';

/** A guard taken apart, a demand in a column; null where the guard says nothing of it. */
export interface GuardColumns {
  /** The whole in words; null if there is none, which is never right. */
  readonly guard: string | null;
  readonly public: boolean;
  /** Whose object it must be, and the argument that names the object: `Listing of input.id`, `dealer manager of input.dealerId`. */
  readonly ownerRule: string | null;
  /** `listings:moderate`; with `or ` before it where it stands in for ownership. */
  readonly permission: string | null;
  /** Scope that an API client needs; null: only tokens of users. */
  readonly clientScope: string | null;
  /** Seconds since the last sign-in at most. */
  readonly stepUpSeconds: number | null;
  /** Whether its caller is read from the database by every call because the field states it. */
  readonly freshCaller: boolean;
  /** Budget that an execution is charged to. */
  readonly rateClass: string | null;
}

/** Takes apart the guard of a root field; of none if there is no such field. */
export function toGuardColumns(field: GraphQLField<unknown, unknown> | undefined): GuardColumns {
  const guard = field ? readGuard(field) : null;
  const { owner, dealerRole, permission } = guard ?? {};
  const alternative = owner?.or ?? dealerRole?.or;
  return {
    guard: guard && describeGuard(guard),
    public: guard?.public === true,
    ownerRule:
      [
        owner && `${owner.type} of ${owner.id}`,
        dealerRole && `dealer ${dealerRole.atLeast.toLowerCase()} of ${dealerRole.dealer}`,
        permission?.breadth === 'OWN' && 'own objects allowed',
      ]
        .filter(Boolean)
        .join(', ') || null,
    permission: permission?.name ?? (alternative ? `or ${alternative}` : null),
    clientScope: guard?.clientScope ?? null,
    stepUpSeconds: guard?.stepUpMaxAgeSeconds ?? null,
    freshCaller: guard?.freshCaller === true,
    rateClass: field ? readRateClass(field) : null,
  };
}

/** Columns of what asks no field of the graph: adapters, which are all public. */
export const adapterColumns: GuardColumns = {
  guard: 'public',
  public: true,
  ownerRule: null,
  permission: null,
  clientScope: null,
  stepUpSeconds: null,
  freshCaller: false,
  rateClass: null,
};
