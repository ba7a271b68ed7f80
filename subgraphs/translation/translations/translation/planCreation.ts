import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { toTexts } from '../../objects/contentDigest.ts';
import type { Texts } from '../../objects/translatableFields.ts';
import { assertAssignee, assertDigest, managesObject } from '../../records/checkInput.ts';
import { loadStored } from '../../records/loaders.ts';
import type { Status } from '../../records/model.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject, type TranslatableObject } from '../../records/TranslatableObject.ts';
import { languageNotConfigured, resolveLanguage } from '../../relations/relation/resolveLanguage.ts';
import type { CreateTranslationInput } from '../../translation.generated.ts';
import { mergeTexts } from './editTexts.ts';
import { assertComplete } from './policy.ts';

/** A translation that its caller may create. */
export interface CreationPlan {
  /** Code of the installation's default language. */
  readonly defaultCode: string;
  readonly source: TranslatableObject;
  readonly sourceLanguage: string;
  readonly language: string;
  readonly texts: Texts;
  readonly status: Status;
  readonly sourceDigest: string | null;
  readonly assigneeId: string | null;
}

/**
 * Checks a creation in the order of refusals: shape, existence, ownership, meaning.
 *
 * @throws AppError
 */
export async function planCreation(
  input: CreateTranslationInput,
  context: RequestContext,
): Promise<CreationPlan> {
  assertDigest(input.sourceDigest);
  const source = await findObject(context, { type: input.source.type, id: input.source.id });
  assertReaches(context, 'translations:contribute', source, 'object_not_found');
  const status = input.status ?? 'draft';
  const manages = managesObject(context, source);
  if (status === 'published' && !manages)
    throw new AppError('transition_not_allowed', 'Publishing needs the permission "translations:manage".', {
      requiredPermission: 'translations:manage',
    });
  assertAssignee(context, input.assigneeId, null, manages);
  const settings = await loadLanguageSettings(context);
  const { sourceLanguage, language } = resolveLanguages(settings, source, input.language);
  assertInitialStatus(status);
  const start = input.copySource ? await textsOf(context, source) : {};
  const texts = mergeTexts(source.ref.type, start, input.fields ?? {});
  if (status === 'published') assertComplete(source.ref.type, texts);
  return {
    defaultCode: settings.default.code,
    source,
    sourceLanguage,
    language,
    texts,
    status,
    sourceDigest: input.sourceDigest ?? null,
    assigneeId: input.assigneeId ?? null,
  };
}

function resolveLanguages(
  settings: LanguageSettings,
  source: TranslatableObject,
  wanted: string,
): { sourceLanguage: string; language: string } {
  const language = nameLanguage(settings, wanted)?.code;
  if (language === undefined) throw languageNotConfigured(wanted, '#/language');
  const sourceLanguage = resolveLanguage(settings, source, null, '#/source');
  if (sourceLanguage !== language) return { sourceLanguage, language };
  const detail = 'The source is already in this language.';
  throw new AppError('same_language', detail, {
    errors: [{ pointer: '#/language', code: 'same_language', detail }],
  });
}

function assertInitialStatus(status: Status): void {
  if (status !== 'needs_review' && status !== 'archived') return;
  const detail = 'A new translation must be a draft, in progress or published.';
  throw new AppError('invalid_initial_status', detail, {
    errors: [{ pointer: '#/status', code: 'invalid_initial_status', detail }],
  });
}

/** Returns the source's texts from which a translation can start. */
async function textsOf(context: RequestContext, { record, owned, ref }: TranslatableObject): Promise<Texts> {
  if (record?.origin === 'created') return (await loadStored(context, record._id))?.fields ?? {};
  return owned.content ? toTexts(ref.type, owned.content.fields) : {};
}
