import { isObjectType } from 'graphql';
import { type Guard, readGuard } from '../../../schema/guards/readGuard.ts';
import { recordOperatorUse } from '../audit/recordOperatorUse.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { type IdType, isId } from '../ids/newId.ts';
import { assertGuard, needsFreshPrincipal } from './checkGuard.ts';
import { isOperatorUse } from './guardField.ts';
import { assertOwnership, type OwnershipPolicies } from './ownership.ts';

/** How the records of a GraphQL type are read by id. */
export interface RecordReader {
  readonly idType: IdType;
  /**
   * Reads the parent of the type's resolvers, batched per request; null for an id of another installation. It checks no
   * guard.
   */
  read(id: string, context: RequestContext): Promise<object | null>;
}

/** Readers by GraphQL type. */
export type RecordReaders = Readonly<Record<string, RecordReader>>;

/** A type whose records can be read by id, with the guard that decides who may. */
export interface ReadableType {
  readonly name: string;
  readonly guard: Guard;
  readonly reader: RecordReader;
  readonly policies: OwnershipPolicies;
}

/** Returns the type with its guard and reader, or what it lacks. */
export function readableType(
  type: unknown,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): ReadableType | string {
  if (!isObjectType(type)) return 'it is no object type';
  const [guard, reader] = [readGuard(type), readers[type.name]];
  if (!guard) return `type ${type.name} states no guard`;
  if (!reader) return `no resource reads ${type.name} by id`;
  return { name: type.name, guard, reader, policies };
}

/**
 * Returns a record by its id; null if there is none.
 *
 * @throws AppError if the guard of its type refuses the caller
 */
export async function readRecord(
  { name, guard, reader, policies }: ReadableType,
  id: string,
  context: RequestContext,
): Promise<object | null> {
  const identity = await context.identify(needsFreshPrincipal(guard));
  assertGuard(guard, identity, context);
  if (!isId(reader.idType, id)) return null;
  const record = await reader.read(id, context);
  if (record === null) return null;
  await assertOwnership(guard, record, context, policies);
  if (isOperatorUse(guard, identity)) await recordOperatorUse(context, name);
  return record;
}

/** Returns a record; null if there is none, or if the guard of its type refuses the caller. */
export async function readIfAllowed(
  type: ReadableType,
  id: string,
  context: RequestContext,
): Promise<object | null> {
  try {
    return await readRecord(type, id, context);
  } catch (error) {
    if (error instanceof AppError && [401, 403, 404].includes(error.status)) return null;
    throw error;
  }
}
