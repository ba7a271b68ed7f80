import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver } from 'graphql';
import type { Guard } from '../../../schema/guards/readGuard.ts';
import type { RateClass } from '../../../schema/guards/readRateClass.ts';
import { recordDenial, targetOf } from '../audit/recordDenial.ts';
import { recordOperatorUse } from '../audit/recordOperatorUse.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import type { Identity } from '../principal/Identity.ts';
import { assertGuard, needsFreshPrincipal } from './checkGuard.ts';
import { assertOwnership, type OwnershipPolicies, readPath } from './ownership.ts';

/** Guard of a field. */
export interface FieldGuard {
  readonly guard: Guard;
  /** Name in the audit log. */
  readonly action: string;
  /**
   * Returns the object to which the guard's paths are relative: the arguments of a root field, or the object of a
   * nested one.
   */
  subjectOf(source: unknown, args: object): object;
  readonly policies: OwnershipPolicies;
  /** Budget that every execution is charged to; root fields have one. */
  readonly rateClass?: RateClass;
  /**
   * Whether it is a field of `Subscription`. It is admitted and charged when it starts, and rechecked at every event.
   */
  readonly isSubscription?: boolean;
}

/**
 * Wraps a field in its guard: the caller, the caller's budget and the record are checked before the field is resolved.
 * Acceptances and refusals are recorded in the audit events.
 */
export function guardField(field: GraphQLField<unknown, RequestContext>, options: FieldGuard): void {
  if (!options.isSubscription) {
    field.resolve = guardResolver(field.resolve ?? defaultFieldResolver, options);
    return;
  }
  const { rateClass: _, ...everyEvent } = options;
  field.subscribe = guardResolver(field.subscribe ?? refuseToBegin, options);
  field.resolve = guardResolver(field.resolve ?? defaultFieldResolver, everyEvent);
}

function refuseToBegin(): never {
  throw new Error('A field of Subscription has no subscribe resolver.');
}

function guardResolver(
  resolve: GraphQLFieldResolver<unknown, RequestContext>,
  { guard, action, subjectOf, policies, rateClass }: FieldGuard,
): GraphQLFieldResolver<unknown, RequestContext> {
  const needsRecord = guard.owner !== undefined || guard.dealerRole !== undefined;
  const fresh = needsFreshPrincipal(guard);
  return (source, args: object, context, info) => {
    const refuse = (error: unknown): never => {
      recordDenial(context, action, error, findTarget(guard, subjectOf(source, args), args));
      throw error;
    };
    const answer = (identity: Identity): unknown => {
      if (!isOperatorUse(guard, identity)) return resolve(source, args, context, info);
      return recordOperatorUse(context, action).then(() => resolve(source, args, context, info));
    };
    const askRecord = (identity: Identity): unknown => {
      if (!needsRecord) return answer(identity);
      return assertOwnership(guard, subjectOf(source, args), context, policies).then(() => answer(identity));
    };
    const admit = (identity: Identity): unknown => {
      assertCaller(guard, identity, context, action);
      const charging = rateClass && context.platform.rateLimits.charge(rateClass, context, args);
      return charging ? charging.then(() => askRecord(identity)) : askRecord(identity);
    };
    try {
      const identity = context.identify(fresh);
      const result = identity instanceof Promise ? identity.then(admit) : admit(identity);
      return result instanceof Promise ? result.catch(refuse) : result;
    } catch (error) {
      return refuse(error);
    }
  };
}

/** Returns whether an operator is admitted to a guarded object, which is recorded. */
export function isOperatorUse(guard: Guard, identity: Identity): boolean {
  return !guard.public && identity.kind === 'accepted' && identity.viewer.isOperator;
}

/** Checks the caller before a record is known, as in REST. Such a refusal reveals nothing about a record. */
function assertCaller(guard: Guard, identity: Identity, context: RequestContext, action: string): void {
  try {
    assertGuard(guard, identity, context);
  } catch (error) {
    recordDenial(context, action, error);
    throw error;
  }
}

/** Returns the id of the guard's record, otherwise the first id in the arguments and the members of `input`. */
function findTarget({ owner, dealerRole }: Guard, subject: object, args: object) {
  const stated = [owner?.id, dealerRole?.dealer].map((path) => path && readPath(subject, path));
  const { input } = args as { input?: unknown };
  const members = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return targetOf(...stated, ...Object.values(args), ...members);
}
