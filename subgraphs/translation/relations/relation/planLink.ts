import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { assertDigest } from '../../records/checkInput.ts';
import { loadMembers } from '../../records/loaders.ts';
import { findOpenGroup } from '../../records/memberships/loadGroup.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject, type TranslatableObject } from '../../records/TranslatableObject.ts';
import type { LinkRelationInput } from '../../translation.generated.ts';
import { assertReachesSource } from '../group/policy.ts';
import { relationNotFound } from '../group/refuseLink.ts';
import { resolveLanguage } from './resolveLanguage.ts';

/** A permitted link, with all data that the transaction does not have to read. */
export interface LinkPlan {
  readonly settings: LanguageSettings;
  readonly object: TranslatableObject;
  readonly language: string;
  /** The member or lone object that was named; null when a group was. */
  readonly anchor: { readonly object: TranslatableObject; readonly language: string } | null;
  readonly groupId: string | null;
  readonly onConflict: 'reject' | 'move' | 'replace';
  readonly sourceDigest: string | null;
  readonly expectedVersion: number | null;
}

/**
 * Checks a link in the order of refusals: shape, existence, ownership, meaning.
 *
 * @throws AppError
 */
export async function planLink(input: LinkRelationInput, context: RequestContext): Promise<LinkPlan> {
  assertShape(input);
  const settings = await loadLanguageSettings(context);
  const { onConflict = 'reject', sourceDigest = null, expectedVersion = null } = input;
  const [object, related] = await Promise.all([
    findObject(context, { type: input.object.type, id: input.object.id }),
    // Read concurrently, checked in order.
    input.relatedTo ? findObject(context, { type: input.relatedTo.type, id: input.relatedTo.id }) : null,
  ]);
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  const target = await findTarget(context, input, related);
  if (target.groupId !== null && context.viewer.breadthOf('translations:manage') !== 'any')
    await assertReachesSource(context, await loadMembers(context, target.groupId));
  assertRelatable(object, target);
  const language = resolveLanguage(settings, object, input.object.language, '#/object/language');
  const { anchor } = target;
  return {
    settings,
    object,
    language,
    anchor: anchor && {
      object: anchor,
      language: resolveLanguage(settings, anchor, null, '#/relatedTo'),
    },
    groupId: anchor ? null : target.groupId,
    onConflict,
    sourceDigest,
    expectedVersion,
  };
}

function assertShape({ relatedTo, groupId, sourceDigest }: LinkRelationInput): void {
  if ((relatedTo == null) === (groupId == null)) {
    const detail = 'Send exactly one of "relatedTo" and "groupId".';
    throw invalidFields([
      { pointer: relatedTo == null ? '#/relatedTo' : '#/groupId', code: 'exactly_one', detail },
    ]);
  }
  assertDigest(sourceDigest);
}

interface Target {
  readonly anchor: TranslatableObject | null;
  readonly groupId: string | null;
  readonly objectType: ObjectType;
}

async function findTarget(
  context: RequestContext,
  input: LinkRelationInput,
  anchor: TranslatableObject | null,
): Promise<Target> {
  if (input.relatedTo) {
    assertReaches(context, 'translations:manage', anchor, 'related_object_not_found');
    return { anchor, groupId: anchor.record?.groupId ?? null, objectType: anchor.ref.type };
  }
  const group = await findOpenGroup(context, input.groupId ?? '');
  if (!group) throw relationNotFound();
  return { anchor: null, groupId: group._id, objectType: group.objectType };
}

function assertRelatable(object: TranslatableObject, { anchor, objectType }: Target): void {
  if (anchor?.key === object.key)
    throw new AppError('self_relation', 'An object cannot be related to itself.');
  if (objectType === object.ref.type) return;
  throw new AppError(
    'object_type_mismatch',
    `A group of ${objectType} objects cannot contain a ${object.ref.type}.`,
  );
}
