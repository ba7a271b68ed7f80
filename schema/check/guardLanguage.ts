import { type Change, toChange } from '../../packages/schema-check/src/Change.ts';
import type { Field, GuardLanguage } from '../../packages/schema-check/src/guards/GuardLanguage.ts';
import { guardDirectives } from '../guards/guardDirectives.ts';
import { describeGuard, type Guard, readGuard } from '../guards/readGuard.ts';
import { readTraits } from '../route/readTraits.ts';
import { compareGuards } from './compareGuards.ts';

const limitNames = ['arrays', 'bodyBytes', 'timeoutMs'] as const;

/** The guard directives of this product, compared by the callers they admit, and other traits of root fields. */
export const guardLanguage: GuardLanguage<Guard> = {
  isRequired: true,
  read: readGuard,
  isPublic: (guard) => guard.public === true,
  compare: compareGuards,
  describe: describeGuard,
  compareTraits,
};

/** Compares limits, idempotency and rate class. */
function compareTraits(before: Field, after: Field, path: string): Change[] {
  const [was, is] = [readTraits(before), readTraits(after)];
  const changes = diffIdempotency(was.idempotent, is.idempotent, path);
  if (was.rateClass !== is.rateClass) {
    const message = `${path} is charged to ${is.rateClass ?? 'no budget'}, before to ${was.rateClass ?? 'no budget'}.`;
    changes.push(toChange('rate-class-changed', path, message));
  }
  return [...changes, ...diffLimits(before, after, path)];
}

type Idempotency = { readonly required: boolean } | undefined;

function diffIdempotency(before: Idempotency, after: Idempotency, path: string): Change[] {
  if (before && !after) {
    const message = `${path} no longer honours the idempotency key: a retry has a second effect.`;
    return [toChange('idempotency-removed', path, message)];
  }
  if (before?.required === after?.required) return [];
  return after?.required
    ? [toChange('idempotency-required', path, `${path} refuses requests without an idempotency key now.`)]
    : [toChange('idempotency-added', path, `${path} honours an idempotency key, which may be left out.`)];
}

function diffLimits(before: Field, after: Field, path: string): Change[] {
  const [was, is] = [readLimits(before), readLimits(after)];
  return limitNames.flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === now) return [];
    const isLower = old !== undefined && now !== undefined && now < old;
    const message = `The limit ${name} of ${path} is ${now ?? 'the default'}, before ${old ?? 'the default'}.`;
    return [toChange(isLower ? 'limit-lowered' : 'limit-changed', `${path} ${name}`, message)];
  });
}

function readLimits(field: Field): Map<string, number> {
  const directive = guardDirectives(field.astNode).find(({ name }) => name === 'limits');
  return new Map(Object.entries(directive?.values ?? {}).map(([name, value]) => [name, Number(value)]));
}
