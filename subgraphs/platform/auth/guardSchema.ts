import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
} from 'graphql';
import { type Guard, readGuard } from '../../../schema/guards/readGuard.ts';
import { readRateClass } from '../../../schema/guards/readRateClass.ts';
import { readRecordLink } from '../../../schema/guards/readRecordLink.ts';
import { recordDenial, targetOf } from '../audit/recordDenial.ts';
import { recordOperatorUse } from '../audit/recordOperatorUse.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { assertGuard, needsFreshPrincipal } from './checkGuard.ts';
import { guardField, isOperatorUse } from './guardField.ts';
import { assertOwnership, type OwnershipPolicies, readPath } from './ownership.ts';
import { createSelectionTest } from './selectionTest.ts';

type ResolveReference = (reference: object, context: RequestContext, info: GraphQLResolveInfo) => unknown;
interface SubgraphExtension {
  resolveReference?: ResolveReference;
}

const federationFields: ReadonlySet<string> = new Set(['_entities', '_service']);

/**
 * Adds the guards that the SDL states to every root field, every reference resolver and every nested field with its own
 * guard. The default is to deny: a field without a guard prevents the start.
 *
 * A guard on an entity type protects `_entities`. A field with its own guard is checked by that one instead, so
 * `viewerCanRead` responds to an anonymous caller while `price` refuses.
 *
 * @throws Error that lists every root field and entity type without a guard, every root field without a rate class,
 *   and every owner without a policy
 */
export function guardSchema(schema: GraphQLSchema, policies: OwnershipPolicies): GraphQLSchema {
  const faults: string[] = [];
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    if (roots.has(type)) guardRoot(type, policies, faults, type === schema.getSubscriptionType());
    else guardObject(type, policies, faults);
  }
  if (faults.length > 0)
    throw new Error(
      `The subgraph cannot start, because its guards are incomplete:\n  ${faults.join('\n  ')}`,
    );
  return schema;
}

function guardRoot(
  type: GraphQLObjectType,
  policies: OwnershipPolicies,
  faults: string[],
  isSubscription: boolean,
): void {
  for (const field of Object.values(type.getFields())) {
    if (federationFields.has(field.name)) continue;
    const where = `${type.name}.${field.name}`;
    const guard = readGuard(field);
    const rateClass = readRateClass(field);
    if (!guard)
      faults.push(
        `${where} states no guard: add @guard__public, @guard__authenticated, @guard__permission, @guard__owner or @guard__dealerRole`,
      );
    if (!rateClass) faults.push(`${where} states no budget: add @guard__rateClass`);
    if (!guard || !rateClass) continue;
    guardField(field, {
      guard,
      rateClass,
      isSubscription,
      action: field.name,
      subjectOf: (_, args) => args,
      policies: checkPolicies(guard, where, policies, faults),
    });
  }
}

function guardObject(type: GraphQLObjectType, policies: OwnershipPolicies, faults: string[]): void {
  for (const field of Object.values(type.getFields())) {
    const guard = readGuard(field);
    if (guard)
      guardField(field, {
        guard,
        action: `${type.name}.${field.name}`,
        subjectOf: (source) => source as object,
        policies: checkPolicies(guard, `${type.name}.${field.name}`, policies, faults),
      });
    else if (isEntity(type) && isOwned(field) && readRecordLink(field) === null) {
      faults.push(`${type.name}.${field.name} leads to an owned type and states no guard of its own`);
    }
  }
  if (!isEntity(type)) return;
  const guard = readGuard(type);
  if (!guard) faults.push(`type ${type.name} is reachable through _entities and states no guard`);
  else guardReference(type, guard, checkPolicies(guard, type.name, policies, faults));
}

function checkPolicies(
  guard: Guard,
  where: string,
  policies: OwnershipPolicies,
  faults: string[],
): OwnershipPolicies {
  if (guard.owner && !policies[guard.owner.type])
    faults.push(`${where}: no ownership policy for ${guard.owner.type}`);
  if (guard.dealerRole && !policies.Dealer) faults.push(`${where}: no ownership policy for Dealer`);
  return policies;
}

/** Returns whether a type is resolvable through `_entities`: it has a @key that is not `resolvable: false`. */
function isEntity(type: GraphQLObjectType): boolean {
  const nodes = [type.astNode, ...type.extensionASTNodes];
  return nodes.some((node) =>
    node?.directives?.some(
      (directive) =>
        directive.name.value === 'key' &&
        !directive.arguments?.some(
          (argument) =>
            argument.name.value === 'resolvable' &&
            argument.value.kind === Kind.BOOLEAN &&
            !argument.value.value,
        ),
    ),
  );
}

function isOwned(field: GraphQLField<unknown, unknown>): boolean {
  const type = getNamedType(field.type);
  return isObjectType(type) && isEntity(type) && readGuard(type)?.owner !== undefined;
}

function guardReference(type: GraphQLObjectType, guard: Guard, policies: OwnershipPolicies): void {
  const extension = (type.extensions.apollo as { subgraph?: SubgraphExtension } | undefined)?.subgraph;
  const resolveReference = extension?.resolveReference;
  if (!extension || !resolveReference) return;
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    guard: readGuard(field),
  }));
  const namesOf = (isMeant: (field: (typeof fields)[number]) => boolean) =>
    fields.filter(isMeant).map(({ name }) => name);
  const selectsGuarded = createSelectionTest(namesOf(({ guard: own }) => own === null));
  const selectsPublic = createSelectionTest(namesOf(({ guard: own }) => own?.public === true));
  const answer = async (
    reference: object,
    context: RequestContext,
    info: GraphQLResolveInfo,
  ): Promise<unknown> => {
    if (!selectsGuarded(info)) {
      const isOpen = guard.public || selectsPublic(info);
      assertGuard(isOpen ? anybody : anyIdentity, await context.identify(), context);
      return resolveReference(reference, context, info);
    }
    const identity = await context.identify(needsFreshPrincipal(guard));
    assertGuard(guard, identity, context);
    await assertOwnership(guard, reference, context, policies);
    if (isOperatorUse(guard, identity)) await recordOperatorUse(context, type.name);
    return resolveReference(reference, context, info);
  };
  extension.resolveReference = (reference, context, info) =>
    answer(reference, context, info).catch((error: unknown) => {
      recordDenial(context, type.name, error, targetOf(readPath(reference, 'id')));
      throw error;
    });
}

/**
 * Guard before the record itself, if every selected field has its own guard. The existence of a record is revealed only
 * to callers who may read one of its fields.
 */
const anyIdentity: Guard = { authenticated: true, clientScope: '*' };
const anybody: Guard = { public: true };
