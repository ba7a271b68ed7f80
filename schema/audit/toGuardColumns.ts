import type { GraphQLField } from 'graphql';
import { describeGuard, readGuard } from '../guards/readGuard.ts';
import { readRateClass } from '../guards/readRateClass.ts';

/** Demands of a guard in columns; null if the guard does not make a demand. */
export interface GuardColumns {
  /** Description of the guard; null if there is none, which is a fault. */
  readonly guard: string | null;
  readonly public: boolean;
  /**
   * Required owner, and the argument with the object's id: `Listing of input.id`, `dealer manager of input.dealerId`.
   */
  readonly ownerRule: string | null;
  /** `listings:moderate`; with the prefix `or ` if it replaces ownership. */
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

/** Returns the columns of a root field's guard; empty ones if there is no such field. */
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

/** Columns of adapters, which execute no field and are all public. */
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
