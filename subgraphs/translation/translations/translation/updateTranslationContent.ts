import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { digestOf } from '../../../platform/content/digestOf.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { assertDigest } from '../../records/checkInput.ts';
import { longestHistory, type StoredTranslation } from '../../records/model.ts';
import { actsOnOwn } from '../../records/statusMachine.ts';
import { currentDigestOf } from '../../records/TranslatableObject.ts';
import type { TranslationParent } from '../../records/TranslationParent.ts';
import { toProvenance } from '../../records/toProvenance.ts';
import type { UpdateTranslationContentInput } from '../../translation.generated.ts';
import { type ChangeContext, changeTranslation } from './changeTranslation.ts';
import { mergeTexts } from './editTexts.ts';
import { notAssignee } from './policy.ts';

/** Saves texts of a created translation. Readers continue to get the published ones. */
export async function updateTranslationContent(
  input: UpdateTranslationContentInput,
  context: RequestContext,
): Promise<{ translation: TranslationParent }> {
  assertDigest(input.sourceDigest);
  const translation = await changeTranslation(context, { id: input.id }, (subject) =>
    decideContent(subject, input),
  );
  return { translation };
}

function decideContent(
  subject: ChangeContext,
  { fields, sourceDigest, expectedVersion }: UpdateTranslationContentInput,
): Partial<StoredTranslation> | null {
  const { record, actor, source, now } = subject;
  if (!actsOnOwn(record, actor)) throw notAssignee();
  if (record.origin === 'linked') {
    const detail = 'The texts of a linked object cannot be changed here. Change the object instead.';
    throw invalidFields([{ pointer: '#/fields', code: 'read_only_field', detail }]);
  }
  const texts = mergeTexts(record.objectType, record.fields, fields);
  assertVersion(record.version, expectedVersion);
  const digest = sourceDigest ?? (source ? currentDigestOf(source)?.digest : undefined);
  const contentDigest = digestOf(texts);
  const isSame = contentDigest.digest === record.contentDigest?.digest;
  if (isSame && (digest === undefined || digest === record.derivedFrom?.digest)) return null;
  return {
    ...openUpdate(subject),
    fields: texts,
    contentDigest,
    ...(source && digest !== undefined
      ? toProvenance({
          source,
          language: record.derivedFrom?.language ?? null,
          digest,
          before: record.derivedFrom,
          by: actor.id,
          at: now,
        })
      : {}),
  };
}

/** Sets the status for new texts of a published translation: they are an update until they are approved. */
function openUpdate({ record, actor, now }: ChangeContext): Partial<StoredTranslation> {
  const { status: from, history } = record;
  if (from === 'archived') {
    throw new AppError(
      'invalid_transition',
      'An archived translation cannot be edited. Change its status to draft first.',
      {
        from,
        allowed: actor.manages ? ['draft'] : [],
      },
    );
  }
  if (from !== 'published') return {};
  const entry = { at: now, by: actor.id, from, to: 'in_progress' as const, note: null };
  return { status: 'in_progress', history: [...history, entry].slice(-longestHistory) };
}
